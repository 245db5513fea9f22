<?php
// A loop by reference goes on with the element that it would have visited next, also when builtin functions move it.
foreach (['array_shift', 'array_pop'] as $shorten) {
    $list = ['a', 'b', 'c', 'd', 'e'];
    $seen = [];
    foreach ($list as $key => &$value) {
        $seen[] = "$key:$value";
        if (count($seen) === 2) {
            $shorten($list);
        }
    }
    unset($value);
    echo implode(' ', $seen), "\n";
}
$list = ['a', 'b', 'c'];
$count = 0;
foreach ($list as &$value) {
    if ($count++ < 3) {
        array_unshift($list, "new $count");
    }
    echo $value, ' ';
}
unset($value);
echo "\n";
$list = [3, 1, 2];
foreach ($list as &$value) {
    echo $value, ' ';
    sort($list);
}
unset($value);
echo "\n";
$list = ['x' => 1, 'y' => 2, 'z' => 3];
foreach ($list as $key => &$value) {
    echo "$key ";
    array_splice($list, 0, 1);
}
echo "\n";
