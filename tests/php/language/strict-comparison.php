<?php
// === on every pair of types.
$o = new stdClass;
$values = ['null' => null, 'false' => false, 'int' => 0, 'float' => 0.0, 'empty' => '', 'zero' => '0', 'array' => [], 'object' => $o, 'same' => $o, 'other' => new stdClass];
foreach ($values as $a => $x) { foreach ($values as $b => $y) { echo (int) ($x === $y); } echo ' ', $a, "\n"; }
var_dump([1, 2] === [1, 2], [1, 2] === [1 => 2, 0 => 1], ['1'] === [1], [[1]] === [[1]], 1 === 1.0, 'a' === "a", NAN === NAN, 0.0 === -0.0, (fn() => 1) === (fn() => 1));
