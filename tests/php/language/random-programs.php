<?php
// What random programs found.

// A key is assigned after a value that is taken apart.
foreach ([5 => [1, 2]] as $k => [$k, $v]) echo $k, $v, "\n";
foreach ([5 => ['x' => 1]] as $k => ['x' => $k]) echo $k, "\n";

// `__get` answers `??` when there is no `__isset`.
class Getter { protected $t = 5; function __get($n) { echo "get $n "; return [3 => 7]; } }
$o = new Getter;
var_dump($o->y[3] ?? 2, $o?->y[3] ?? 2, $o->t[3] ?? 4, isset($o->y), isset($o->y[3]));

// Of two equal values, `min` with two arguments prefers the second.
var_dump(min(null, false), min(1, true), min('1', 1), max(null, false), max('1', 1));

// Commutative operators have a plain variable on their left.
function fails(callable $f) { try { $f(); } catch (Error $e) { echo $e->getMessage(), "\n"; } }
$i = 1;
fails(fn() => [1] & $i);
fails(fn() => $i & [1]);
fails(fn() => [1] * $i);
fails(fn() => [1] + $i);
fails(fn() => ($i . 'x') ^ [1]);

// Offsets of a wrong type.
fails(fn() => [][[]] ?? 1);
fails(fn() => isset([$i][[]]));
fails(fn() => empty([$i][[]]));

fails(fn() => current($i));

// Unknown names are found where they are unpacked.
function one($a) {}
fails(fn() => one(...['a' => 1, 'b' => 2]));
fails(fn() => one(...['b' => 1, 2]));

// Offsets are read one after the other.
fails(fn() => $none[$k1][$k2]);

// Variables go with their function, whatever unwinds it.
class D { function __construct(public $n) {} function __destruct() { echo 'D', $this->n, ' '; } }
function inner() { $d = new D(1); foreach ([1] as &$r) { intdiv(1, 0); } }
function outer() { $d = new D(2); inner(); }
fails(fn() => outer());

// The subject of `?:` is read once.
function once() { return [$undefined ?: 5, $other ?: $another]; }
echo count(once()), "\n";
