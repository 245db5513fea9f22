<?php
// References inside arrays survive copies and are shown by var_dump.
$v = 1;
$a = ['k' => &$v, 'n' => [&$v]];
$b = $a;
$b['k'] = 2;
echo $a['n'][0], $v, "\n";
var_dump($a);
function change(array $copy) { $copy['k'] = 3; $copy['new'] = 1; return count($copy); }
echo change($a), count($a), $v, "\n";
$matrix = [[1, 2], [3, 4]];
foreach ($matrix as &$row) { foreach ($row as &$cell) { $cell *= 10; } unset($cell); }
unset($row);
echo json_encode($matrix), "\n";
$list = [1, 2, 3];
foreach ($list as &$x) {}
foreach ($list as $x) {}
echo json_encode($list), "\n";
$s = [];
$s['self'] = &$s;
echo count($s['self']['self']), "\n";
$p = ['a' => ['b' => 1]];
$q = &$p['a'];
$copy = $p;
$q['b'] = 2;
echo $copy['a']['b'], "\n";
array_walk($list, function (&$v, $k, $add) { $v += $k + $add; }, 100);
echo json_encode($list), "\n";
