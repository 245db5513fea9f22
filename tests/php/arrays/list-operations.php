<?php
// Stack, queue, set and map idioms.
$stack = [];
array_push($stack, 1, 2, 3);
echo array_pop($stack), end($stack), count($stack), "\n";
$queue = [1, 2];
$queue[] = 3;
echo array_shift($queue), json_encode($queue), "\n";
$set = [];
foreach (['a', 'b', 'a'] as $x) { $set[$x] = true; }
echo implode(',', array_keys($set)), isset($set['b']) ? 'in' : 'out', "\n";
$group = [];
foreach ([['t' => 'x', 'n' => 1], ['t' => 'y', 'n' => 2], ['t' => 'x', 'n' => 3]] as ['t' => $t, 'n' => $n]) { $group[$t]['sum'] = ($group[$t]['sum'] ?? 0) + $n; $group[$t]['items'][] = $n; }
echo json_encode($group), "\n";
$tree = ['v' => 1, 'c' => [['v' => 2, 'c' => []], ['v' => 3, 'c' => [['v' => 4, 'c' => []]]]]];
$sum = function (array $n) use (&$sum) { return $n['v'] + array_sum(array_map($sum, $n['c'])); };
echo $sum($tree), "\n";
array_walk_recursive($tree, function (&$v, $k) { $v *= 10; });
echo json_encode($tree), "\n";
$transposed = array_map(null, ...[[1, 2, 3], [4, 5, 6]]);
echo json_encode($transposed), json_encode(array_merge(...$transposed)), json_encode(array_merge_recursive(['a' => [1], 'b' => 2], ['a' => [3], 'b' => 4])), json_encode(array_replace_recursive(['a' => [1, 2]], ['a' => [1 => 'b']])), "\n";
var_dump(array_find([1, 2, 3], fn($x) => $x > 1), array_any([1], fn($x) => $x > 5), array_all([1], fn($x) => $x < 5), array_find_key(['k' => 1], fn($x) => $x));
