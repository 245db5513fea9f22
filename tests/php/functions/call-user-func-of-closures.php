<?php
// call_user_func of closures: bound, static, by reference, generators, with named and unpacked arguments.
class A { public $x = 5; function get() { return function ($y) { return $this->x + $y; }; } static function st() { return static fn($a) => static::class . $a; } }
class B extends A {}
echo call_user_func((new A)->get(), 3), call_user_func(B::st(), 'q'), "\n";
$r = 1;
$f = function (&$p) { $p++; return $p; };
echo call_user_func($f, $r), $r, "\n";
echo call_user_func_array(fn($a, $b = 2, ...$c) => "$a $b " . implode(',', $c), [1, 2, 3, 4]), "\n";
echo call_user_func_array(fn($a, $b = 2) => "$a $b", ['b' => 7, 'a' => 8]), "\n";
echo call_user_func(fn(...$all) => count($all), ...[1, 2, 3]), "\n";
foreach (call_user_func(function ($n) { for ($i = 0; $i < $n; $i++) { yield $i; } }, 3) as $v) { echo $v; }
echo "\n";
try { call_user_func(function (int $i) {}, 'x'); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
try { call_user_func(function ($i) {}); } catch (ArgumentCountError $e) { echo $e->getMessage(), "\n"; }
echo call_user_func(strlen(...), 'four'), "\n";
