<?php
// Builtins that write to their arguments.
$m = null;
echo preg_match('/b(.)/', 'abc', $m), $m[1], "\n";
$a = [3, 1, 2];
echo sort($a) ? implode($a) : '', array_shift($a), array_unshift($a, 'x', 'y'), implode($a), array_push($a, 'z'), array_pop($a), "\n";
$s = 'a=1&b[]=2&b[]=3&c[k]=v';
parse_str($s, $out);
echo json_encode($out), "\n";
echo str_replace(['a', 'b'], 'x', 'aabb', $n), $n, similar_text('abc', 'abd', $pc), round($pc), "\n";
settype($v, 'array');
echo gettype($v), is_callable('strlen', false, $name), $name, "\n";
$arr = ['b' => 1, 'a' => 2];
ksort($arr);
echo key($arr), next($arr), key($arr), end($arr), reset($arr), "\n";
array_walk($arr, function (&$v, $k, $p) { $v = "$p$k$v"; }, 'pre-');
echo implode(' ', $arr), "\n";
