<?php
// False in a reference becomes an array without a word when an element of an element is set. Code of loops makes plain
// variables of references that nobody else holds, which must not show.

function walked(int $times, bool $is_reference): void
{
    $list = [];
    if ($is_reference) {
        foreach ($list as &$element) {
        }
        unset($element);
    }
    $index = 0;
    do {
        $held = $list[2] ?? $index;
    } while (++$index < $times && empty($list[3]));
    echo $held, "\n";
    $list = strlen('x') === 2;
    $list['a']['b'] ??= 1;
    echo json_encode($list), "\n";
    $list = strlen('x') === 2;
    $list['a'] = 1;
    echo json_encode($list), "\n";
}

walked(500, true);
walked(500, false);
walked(3000, true);
