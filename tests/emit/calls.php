<?php
namespace N;
f($local, $a['k'], $o->p, C::$s, $$n, g(), 1 + 1, new D, $x = 5);
\f(...$list, ...g(), name: 1);
f(b: 1, a: $x);
f(...);
$o->m(...);
C::m();
static fn() => self::m();
new C(1);
new ($name)(2);
call_user_func($f, $x);
\call_user_func($f, $x);
assert($x > 1);
exit(1);
