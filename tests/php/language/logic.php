<?php
// Short circuits, precedence of the word operators, ternaries and null coalescing.
function say(string $what, mixed $value): mixed
{
    echo $what, ' ';
    return $value;
}
var_dump(say('a', false) && say('b', true));
var_dump(say('a', true) || say('b', true));
var_dump(say('a', true) xor say('b', true));
$x = true and false;
var_dump($x);
$y = (true and false);
var_dump($y, !$y, !!"0", !"a");
var_dump(say('q', 0) ?: say('r', 5), say('q', 7) ?: say('r', 5));
var_dump($undefined ?? 'default', $array['k']['l'] ?? 'none', null ?? null ?? 3);
$set = null;
$set ??= say('assign', 4);
$set ??= say('never', 5);
var_dump($set);
$list['a']['b'] ??= 'deep';
echo json_encode($list), "\n";
