<?php
// Arrays are values: changes never show through another name.
$a = [1, [2, 3], 'o' => (object) ['p' => 1]];
$b = $a;
$b[1][0] = 'changed';
$b['o']->p = 'objects are shared';
echo json_encode($a), "\n";
function modify(array $x) { $x[] = 'inside'; return $x; }
echo count($a), count(modify($a)), count($a), "\n";
class Holder { public array $list = [1]; public function get() { return $this->list; } }
$h = new Holder;
$got = $h->get();
$got[] = 2;
echo count($h->list), "\n";
$static = fn() => [1, 2, 3];
$s = $static();
$s[] = 4;
echo count($static()), "\n";
$i = [3, 2, 1];
foreach ($i as $k => $v) { $i[$k] = $v * 10; $i["n$k"] = 1; }
echo json_encode($i), "\n";
$big = range(1, 1000);
$copy = $big;
sort($copy);
$copy[999] = 'x';
echo $big[999], array_sum($big), "\n";
$nested = ['a' => ['b' => ['c' => 1]]];
$snapshot = $nested;
$nested['a']['b']['c']++;
unset($nested['a']['b']['x']);
echo $snapshot['a']['b']['c'], $nested['a']['b']['c'], "\n";
