<?php
foreach ([null * 3.0, true * 7, -null, +true, -false, true + true, null - 1, true / 2, false ** 0, true % 3, null | 5, true ^ 3, true << 3, ~'ab', null <=> false, true == 1, null + null, true . 'x', 1.5 * true, -true * 2, null & 7, 10 - true, false <=> 3, null < -1] as $v) { var_dump($v); }
foreach ([fn() => true % false, fn() => 1 / null, fn() => null % true, fn() => 3 << -true, fn() => [] + null, fn() => 'a' + true, fn() => ~null] as $f) try { var_dump($f()); } catch (Error $e) { echo get_class($e), $e->getMessage(), "\n"; }
const A = true * 7 + null; class B { const C = -true; public $p = null + 3; public function f($x = false - 2) { return $x; } }
var_dump(A, B::C, (new B)->p, (new B)->f());
