<?php
// unset of variables, elements, properties, several at once, in loops.
$a = 1;
$b = [1, 2, 'k' => ['x' => 1, 'y' => 2]];
$o = (object) ['p' => 1, 'q' => [1, 2]];
unset($a, $b[0], $b['k']['x'], $b['no']['such'], $o->p, $o->q[0], $nothing);
var_dump(isset($a), $b, $o);
foreach ([1, 2, 3] as $k => $v) { unset($k, $v); }
var_dump(isset($k));
function f() { static $s = 1; global $g; unset($s, $g); $s = 'local'; return $s; }
$g = 'still';
echo f(), f(), $g, "\n";
$str = 'abc';
try {
    unset($str[0]);
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
class M { public function __unset($n) { echo "[unset $n]"; } public static $s = [1]; }
$m = new M;
unset($m->prop, M::$s[0]);
echo count(M::$s), "\n";
$list = ['a', 'b', 'c'];
unset($list[1]);
$list[] = 'd';
echo json_encode($list), json_encode(array_values($list)), "\n";
