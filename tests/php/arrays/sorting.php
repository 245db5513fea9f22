<?php
// Every sort keeps or drops keys as it should; sorts are stable.
$data = ['b' => 2, 'a' => 3, 'c' => 1];
foreach (['sort', 'rsort', 'asort', 'arsort', 'ksort', 'krsort'] as $f) {
    $x = $data;
    $f($x);
    echo $f, json_encode($x), "\n";
}
$mixed = [10, '9', 'abc', 1.5, true, null, '1e1', 'ABC', ''];
sort($mixed);
echo json_encode($mixed), "\n";
sort($mixed, SORT_STRING);
echo json_encode($mixed), "\n";
$people = [['n' => 'Bob', 'a' => 30], ['n' => 'Al', 'a' => 25], ['n' => 'Cy', 'a' => 30]];
usort($people, fn($x, $y) => $y['a'] <=> $x['a']);
echo implode(',', array_column($people, 'n')), "\n";
uasort($data, fn($x, $y) => $x <=> $y);
uksort($data, strcmp(...));
echo json_encode($data), "\n";
$d1 = [3, 1, 2];
$d2 = ['c', 'a', 'b'];
array_multisort($d1, SORT_DESC, $d2);
echo json_encode([$d1, $d2]), "\n";
$keys = ['10' => 'a', '9' => 'b', 'x' => 'c', '1a' => 'd'];
ksort($keys);
echo json_encode($keys), "\n";
ksort($keys, SORT_STRING);
echo json_encode($keys), "\n";
usort($people, fn($a, $b) => $a['a'] > $b['a']);
echo implode(',', array_column($people, 'n')), "\n";
