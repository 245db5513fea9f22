<?php
// A constant's namespace in any case is shown as it was declared.
namespace Foo\Bar { const BAZ = 1; \define('Quux\DeEp\Name', 2); \define('lower\case\X', 3); \define('\Lead\Y', 4); }
namespace { const TOP = 1;
foreach (['Foo\Bar\BAZ','foo\bar\BAZ', '\Foo\Bar\BAZ', 'FOO\BAR\BAZ', 'Quux\DeEp\Name', 'quux\deep\Name', 'lower\case\X', 'LOWER\CASE\X', 'Lead\Y', 'TOP', 'E_ALL', '\TOP', 'Foo\Bar\PHP_VERSION', 'true', 'TRUE', 'Foo\Bar\baz'] as $n) { echo $n, ': '; try { $r = new ReflectionConstant($n); echo "$r->name | ", $r->getName(), ' | ', $r->getNamespaceName(), ' | ', $r->getShortName(), ' | ', json_encode($r->getValue()), ' | ', $r; } catch (Throwable $e) { echo get_class($e), ' ', $e->getMessage(), "\n"; } }
\var_dump(defined('Lead\Y'), defined('\\\\Lead\Y'), @define('\Lead\Y', 5)); foreach (['null', 'False'] as $n) echo new ReflectionConstant($n);
}
