<?php
// Functions that PHP compiles to instructions read plain variables when all other arguments have been evaluated.
set_error_handler(function ($n, $m, $f, $l) { echo "[$m @$l]"; return true; });
function show(...$v) { echo json_encode($v), "\n"; }
function bump(&$x) { $x = 9; return 5; }
$a = 1; show(min($a, $a = 7), max($a, $a++), $a);
$a = 1; show(min($a, bump($a)));
$a = 1; show(max($a, $a += 3), min($a++, $a));
$s = 'hello'; show(substr($s, ($s = 'world') ? 1 : 0, 3));
$s = 'hello'; show(substr($s, $i = 1, $j = 2), substr($s, $i, $i = 3));
$s = 'abc'; $t = 'b'; show(strpos($s, $t, $s = 0 ? '' : 0));
$s = 'abc'; $t = 'b'; show(str_replace($t, $s, $t = 'xbx'), strtr($s, $t, $s = 'zzz'));
$n = 2; $l = [1, 2]; show(in_array($n, $l = [5], $n = false), in_array($n, [1, $n = 3]));
$s = ' x '; show(trim($s, $s = 'x '), implode($t, [$t = '-', 2]));
show(min($undef, $b = 3), max(bump($q), $undef2));
show(max($undef3, bump($undef3)));
function g($x) { $y = $x; return min($y, (function () use (&$y) { $y = -1; return 4; })()); }
show(g(10));
function k($a) { return max($a, yield $a); }
$gen = k(3); $gen->current(); $gen->send(1); show($gen->getReturn());
show(min($a, throwing()));
function throwing() { return 1; }
try { show(max($a, (fn() => throw new Exception('no'))())); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
$p = 'x'; show(preg_replace("/$p/", $p, $p = 'axb'), preg_match($p, $p = '/a/'), preg_match('/x/', $p = 'x'));
$o = 'stdClass'; show(property_exists($o, $o = 'p'), class_exists($o, $o = false), array_key_exists($a, [$a = 'q' => 1]));
$d = '/a/b/c'; show(dirname($d, $d = 2), str_contains($d, $d = 'z'), str_starts_with($d, $d = 'z'), strstr($d, $d = 'z', false));
$a = 1; show(min($a, (int) ($a = 0)), min($a, -($a = 4)), max([$a, $a = 5], $a));
$a = 3; show(min($a, min($a, $a = 1)), max(max($a, $a = 8), $a), \min($a, $a = 2));
$a = 3; show(min(...[$a, $a = 1]), min($a, $a = 1, 2));
echo min($a,
   $a = 5), min($nothing,
   $a = 3), "\n";
