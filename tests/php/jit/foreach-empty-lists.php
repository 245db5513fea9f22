<?php
// A list whose elements are all gone is given up like any other, by code that has never met an element.
class Member {}
function emptied(): array
{
    $list = [new Member, new Member, [1], 'text'];
    unset($list[0], $list[1], $list[2], $list[3]);
    return $list;
}
function total(array $list): int
{
    $sum = 0;
    foreach ($list as $x) {
        $sum += $x;
    }
    return $sum;
}
function keys(array $list): string
{
    $text = '';
    foreach ($list as $k => $x) {
        $text .= $k;
    }
    return $text;
}
function twice(array $list): int
{
    $n = 0;
    foreach ($list as $x) {
        foreach ($list as $k => $y) {
            $n++;
        }
    }
    return $n;
}
$before = 0;
for ($round = 0; $round < 2000; $round++) {
    $results = [total(emptied()), keys(emptied()), twice(emptied()), total([])];
    if ($round === 1000) {
        $before = memory_get_usage();
    }
}
var_dump(memory_get_usage() - $before < 1000, $results);
