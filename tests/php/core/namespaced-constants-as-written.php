<?php
namespace Psy\Test; const SOME = 1; define('Psy\Test\ZED', 2); define('Top', 3); define('A\B\c', 5); define('a\b\C', 6); var_dump(@define('A\b\c', 7));
print_r(get_defined_constants(true)['user']); var_dump(\defined('Psy\Test\SOME'), \defined('PSY\test\SOME'), \constant('a\B\c'), array_slice(get_defined_constants(), -3));
var_dump(isset(get_defined_constants(true)['Core']), isset(get_defined_constants()['PHP_VERSION']), get_defined_constants(true)['Core']['E_ALL'], array_keys(get_defined_constants(true)['pcre'])[0]);
