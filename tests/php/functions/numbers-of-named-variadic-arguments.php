<?php
// Arguments with names that a variadic parameter collects all have the number behind the last one without.
function v(int ...$n) {}
function w($a, int ...$n) {}
function x($a, $b, string|int ...$n) {}
class C { static function s($a, self ...$o) {} function __invoke(int $q, int ...$n) {} }
foreach ([fn() => v(a: 'x'), fn() => v(1, 2, a: 3, b: 'y'), fn() => w(1, a2: 'z'), fn() => w(1, 2, 3, k: 'z'), fn() => w(1, 2, 'q', k: 'z'), fn() => x(1, 2, z: []), fn() => x(b: 2, a: 1, z: []), fn() => C::s(1, u: 1), fn()=>(new C)(1, z: 'a'), fn()=>v(...['a' => 'b']), fn()=>v(...[1, 2, 'p'], ...['a'=>'b']), fn()=>call_user_func_array('v', [1, 'a'=>[]]), fn()=>call_user_func('v', a: []) , fn()=>(new ReflectionFunction('v'))->invoke(a: []),fn()=>array_map('v', [1], ['x'])] as $f) { try { $f(); echo "ok\n"; } catch (TypeError $e) { echo strtok($e->getMessage(), ","), "\n"; } }
