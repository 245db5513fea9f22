<?php
// A plain variable on the left is read late; calls run from left to right.
$i = 1;
var_dump($i + $i++);
$i = 1;
var_dump($i + $i + $i++);
$i = 0;
$a = [1, 2];
$a[$i] = $i++;
echo json_encode($a), "\n";
function f($x) { echo $x; return $x; }
$r = [f('a') => f('b'), f('c') => f('d')];
echo "\n";
$arr = [];
$arr[f('k')][f('l')] = f('v');
echo "\n";
$o = new stdClass;
$o->{f('p')} = f('q');
echo "\n", f(1) + f(2) * f(3), "\n";
$x = 5;
echo $x . ($x = 6) . $x, "\n";
$s = 'a';
$s .= $s .= 'b';
echo $s, "\n";
$n = 1;
$n += $n++ + ++$n;
echo $n, "\n";
