<?php
// Closures in properties, arrays and constants expressions; immediately called.
class A { public $f; public array $list; public function __construct() { $this->f = fn($x) => "f$x"; $this->list = ['g' => fn() => 'g']; } public function f($x) { return "method$x"; } }
$a = new A;
echo ($a->f)(1), $a->f(2), $a->list['g'](), (function () { return implode(func_get_args()); })(1, 2), "\n";
echo (fn() => __FUNCTION__ . '|' . __CLASS__)(), "\n";
$make = fn(int $n) => fn() => $n++;
$c = $make(5);
echo $c(), $c(), "\n";
$acc = function () { static $sum = 0; foreach (func_get_args() as $x) { $sum += $x; } return $sum; };
$acc(1, 2);
echo $acc(3), "\n";
$curry = fn($f) => fn($x) => fn($y) => $f($x, $y);
echo $curry('max')(3)(7), $curry(fn($a, $b) => "$a-$b")('l')('r'), "\n";
$words = ['pear', 'fig', 'apple'];
usort($words, fn($x, $y) => strlen($x) <=> strlen($y));
echo implode(' ', $words), "\n";
$memo = function (callable $f) { $cache = []; return function (...$args) use (&$cache, $f) { return $cache[serialize($args)] ??= $f(...$args); }; };
$slow = fn($x) => print("computed $x ") ? $x : 0;
$fast = $memo($slow);
echo $fast(1), $fast(1), $fast(2), "\n";
$y = fn($f) => (fn($x) => $x($x))(fn($x) => $f(fn(...$a) => $x($x)(...$a)));
echo $y(fn($self) => fn($n) => $n < 2 ? 1 : $n * $self($n - 1))(5), "\n";
