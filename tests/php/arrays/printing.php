<?php
// print_r, var_dump, var_export and json_encode of the same things.
class P { public $a = 1; protected $b = [true]; private $c = null; public readonly int $r; }
enum E: string { case X = 'x'; }
$v = ['int' => 1, 'float' => 1.0, 'str' => "q'\n", 'bool' => false, 'null' => null, 'nested' => [1, []], 'obj' => new P, 'enum' => E::X, 5 => new stdClass, 'closure' => fn(int $x) => $x];
print_r($v);
var_dump(array_slice($v, 0, 9, true));
var_export(array_slice($v, 0, 6, true));
echo "\n";
var_export([new stdClass, (object) ['a' => 1], E::X, -0.0, PHP_INT_MIN, 1e100]);
echo "\n", json_encode(array_slice($v, 0, 8)), "\n";
echo json_encode(['a' => [], 'b' => new stdClass, 'c' => [[1], ['k' => 2]]], JSON_PRETTY_PRINT), "\n";
$r = [1];
$r['self'] = &$r;
print_r($r);
var_dump($r);
$o = new stdClass;
$o->o = $o;
print_r($o);
var_dump($o);
debug_zval_refcount();
function debug_zval_refcount() { echo var_export(1.0, true), var_export('a\\b', true), print_r(null, true), print_r(false, true), print_r(1.0, true), "\n"; }
