<?php
// What nobody wants is not computed, unless that says something: a sum that has become a float is no number for `&` in silence.
function twice(int $number): int
{
    return 2 * $number;
}

$big = PHP_INT_MAX - 10;
$mask = 10;
for ($round = 0; $round < 3; $round++) {
    ((twice($round) + (3 >> ($round & 63))) - (($big + 4294967296) & ($big | $mask)));
}

function unwanted(int $big, int $mask): void
{
    (twice($mask) - (($big + 4294967296) & $mask));
    (($big + 4294967296) - 7);
    ((($big + 4294967296) - 7) | $mask);
}

for ($round = 0; $round < 3; $round++) {
    unwanted(12, $round);
}
unwanted(PHP_INT_MAX - 10, 3);
