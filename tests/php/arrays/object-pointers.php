<?php
// The internal pointer of an object's properties moves.
error_reporting(E_ALL & ~E_DEPRECATED);
class P { public $a = 1; public $b = 2; private $c = 3; public $d = 4; }
$o = new P;
var_dump(current($o), key($o), next($o), key($o), next($o), key($o), next($o), next($o), current($o), key($o));
var_dump(reset($o), end($o), prev($o), prev($o), prev($o), prev($o), current($o));
$x = (object) ['p' => 1, 'q' => 2];
$seen = [];
for (reset($x); key($x) !== null; next($x)) {
    $seen[key($x)] = current($x);
}
var_dump($seen);
