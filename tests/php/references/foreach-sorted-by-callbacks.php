<?php
function show($a) { $r=[]; foreach ($a as $k => $v) $r[] = "$k=>" . (is_array($v) ? '[' . implode(',', $v) . ']' : $v); return implode(' ', $r); }
function t(array $a, $del, $f, $n = 6) { $i = 0; foreach ($a as $k => &$r) { echo "$k "; if ($i++ > $n) break; $r = "$r!"; foreach ($del as $d) unset($a[$d]); $f($a); } unset($r); echo '| ', show($a), "\n"; }
$u = function (&$a) { usort($a, fn($x, $y) => $x <=> $y); };
t(['1' => 'a', '01' => 'b'], [1], $u);
t(['1' => 'a', '01' => 'b', 'c' => 'c'], [1], $u);
t(['1' => 'a', '01' => 'b', 'c' => 'c'], [], $u);
t(['a', 'b', 'c'], [0], $u);
t(['a', 'b', 'c'], [], $u);
t(['x' => 'a', 'y' => 'b', 'z' => 'c'], ['x'], function (&$a) { sort($a); });
t(['x' => 'a', 'y' => 'b', 'z' => 'c'], ['x'], function (&$a) { uasort($a, fn($x, $y) => $x <=> $y); });
t(['x' => 'a', 'y' => 'b', 'z' => 'c'], ['x'], function (&$a) { ksort($a); });
t(['x' => 'a', 'y' => 'b', 'z' => 'c'], ['y'], function (&$a) { asort($a); });
t(['x' => 'a', 'y' => 'b', 'z' => 'c'], ['y'], $u);
