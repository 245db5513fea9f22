<?php
function show($name, $a) { echo $name, ': '; foreach ($a as $k => $v) echo $k, '=', $v, ' '; echo "\n"; }
$a = [1, 2, 3];
foreach ($a as &$r) { if (!isset($b)) $b = $a; $r *= 10; }
unset($r);
show('a', $a); show('b', $b);
$b[1] = 99; $b[2] = 98; show('a', $a);
// written in between: a copy of the loop's table
$c = [1, 2, 3, 4];
foreach ($c as $k => &$r) { if ($k == 0) { $d = $c; $c[] = 5; $d[] = 6; } $r = "x$r"; }
unset($r); show('c', $c); show('d', $d);
// something else is put into the variable, shared
$e = ['a' => 1, 'b' => 2]; $other = [7, 8, 9];
foreach ($e as $k => &$r) { if ($k === 'a') $e = $other; $r .= '!'; }
unset($r); show('e', $e); show('other', $other);
// by value inside
$f = ['p' => 1, 'q' => 2, 'r' => 3];
foreach ($f as $k => &$r) { foreach ($f as $v) { $r += $v; } $g[$k] = $f; }
unset($r); foreach ($g as $k => $one) show($k, $one);
function gen(array &$x) { foreach ($x as $k => &$v) { yield $k => $v; } }
$h = [1, 2, 3]; $i = null;
foreach (gen($h) as $k => $v) { $i ??= $h; } $h[1] = 5; $h[2] = 6; show("h", $h); show("i", $i);
foreach ([[1,2,3]] as $l) { foreach ($l as &$m) { $n = $l; $m++; } unset($m); $l[2] = 7; show("l", $l); show("n", $n); }
