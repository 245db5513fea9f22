<?php
// Assignment by reference, chains, unset breaks only one name.
$a = 1;
$b = &$a;
$c = &$b;
$c = 5;
echo $a, $b, $c, "\n";
unset($b);
$b = 'new';
echo $a, $c, "\n";
$x = [1, 2];
$y = &$x[0];
$z = $x;
$z[0] = 'shared through the copy';
echo $x[0], "\n";
unset($y);
$w = $x;
$w[0] = 'now separate';
echo $x[0], "\n";
$o = new stdClass;
$o->p = 1;
$r = &$o->p;
$r++;
echo $o->p, "\n";
$f = &$undefined['created']['deep'];
var_dump($undefined);
function swap(&$p, &$q) { [$p, $q] = [$q, $p]; }
$one = 1;
$two = 2;
swap($one, $two);
echo $one, $two, "\n";
$arr = [3, 1, 2];
foreach ($arr as $k => &$v) { $v = &$other; }
$other = 'x';
var_dump($arr);
