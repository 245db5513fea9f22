<?php
// current, next, prev, reset, end, key, each array its own pointer.
$a = ['x' => 1, 'y' => 2, 'z' => 3];
echo current($a), key($a), next($a), key($a), next($a), var_export(next($a), true), var_export(key($a), true), "\n";
echo reset($a), end($a), prev($a), key($a), "\n";
$b = $a;
next($b);
echo current($a), current($b), "\n";
foreach ($a as $v) {}
echo current($a), "\n";
unset($a['y']);
echo var_export(current($a), true), "\n";
$e = [];
var_dump(current($e), key($e), reset($e), end($e));
while (($v = current($b)) !== false) { echo key($b), $v; prev($b); }
echo "\n", array_shift($a), array_pop($a), json_encode($a), array_push($a, 'p', 'q'), array_unshift($a, 'first'), json_encode($a), "\n";
