<?php
// Lists of plain values are sorted a shorter way; nothing but the time may tell.
$numbers = [3, -1, PHP_INT_MAX, 0, PHP_INT_MIN, 3];
$shared = $numbers;
echo json_encode(sort($numbers)), json_encode($numbers), json_encode($shared), "\n";
rsort($numbers);
echo json_encode($numbers), "\n";

$words = ['pear', 'Apple', 'apple', 'fig', 'pear2', 'pear10', ''];
sort($words);
echo json_encode($words), "\n";
rsort($words, SORT_STRING);
echo json_encode($words), "\n";
$words = ['b', 'nan', 'inf', 'e5', 'a'];
rsort($words);
echo json_encode($words), "\n";
$numeric = ['10', '9', '1e1', ' 5', 'x', '05'];
sort($numeric, SORT_STRING);
echo json_encode($numeric), "\n";
sort($numeric);
echo json_encode(count($numeric)), "\n";

$mixed = [2, '1', 1.5];
sort($mixed);
echo json_encode($mixed), "\n";

// The next key and the internal pointer start anew.
$list = [5, 4, 3, 2];
array_pop($list);
unset($list[2]);
end($list);
sort($list);
echo current($list), ' ';
$list[] = 9;
echo json_encode($list), "\n";

// Inside a loop by reference, and through a reference.
$loop = [3, 1, 2];
foreach ($loop as &$value) {
    sort($loop);
    echo $value, ' ';
}
unset($value);
echo json_encode($loop), "\n";
$alias = &$loop;
rsort($alias);
echo json_encode($loop), "\n";
$held = [2, 1];
$element = &$held[0];
sort($held);
$element = 7;
echo json_encode($held), "\n";

echo json_encode(array_merge([1, 2], ['a', 'b'], [])), json_encode(array_merge(['x' => 1], [2])), "\n";
var_dump(in_array(5, [1, 2, 5]), in_array(5, [1, '5']), in_array(5, [1, 'five']));
