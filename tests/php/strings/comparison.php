<?php
// strcmp family, natural order, numeric strings, spaceship.
var_dump(strcmp('a', 'b'), strcmp('b', 'a'), strcmp('a', 'a'), strcasecmp('HELLO', 'hello'), strncmp('abcd', 'abef', 2), strncasecmp('ABx', 'aby', 2));
var_dump(strnatcmp('img12', 'img10'), strnatcasecmp('IMG2', 'img10'), 'a' <=> 'b', '10' == '1e1', 'abc' == 'ABC', '1.0' === '1');
var_dump('apple' < 'banana', '10' < '9', '10' < '9a', 'Z' < 'a', '' < 'a', null < 'a');
$list = ['img12.png', 'img10.png', 'IMG2.png', 'img1.png'];
sort($list);
echo implode(' ', $list), "\n";
natsort($list);
echo implode(' ', $list), "\n";
natcasesort($list);
echo implode(' ', $list), "\n";
sort($list, SORT_FLAG_CASE | SORT_STRING);
echo implode(' ', $list), "\n";
var_dump(substr_compare('Hello', 'LLO', -3, 3, true), similar_text('World', 'Word', $percent), round($percent, 2));
var_dump(max('apple', 'banana'), max('10', 9), max('abc', 0), min('a', 'b'), max([1, 2], [1, 3]), max(1, '1'));
