<?php
// Numbers that are no token's have no names, however far away they are.
foreach ([PHP_INT_MIN, PHP_INT_MIN + 1, -1, 0, 255, 256, 259, 1000, PHP_INT_MAX] as $number) {
    echo $number, ' ', token_name($number), ' ';
    var_dump((new PhpToken($number, 'x'))->getTokenName());
}
