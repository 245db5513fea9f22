<?php
// The key of the next `[]` where the last elements of a list were removed, and others added behind what is left.

function keys(array $a): string
{
    return json_encode(array_keys($a));
}

$a = [1, 2, 3, 4, 5];
unset($a[4], $a[3]);
$b = $a;
$a[3] = 'x';
$a[] = 'y';
$b[] = 'z';
echo keys($a), keys($b), "\n";

$a = [1, 2, 3];
array_pop($a);
$a[5] = 1;
$a[] = 2;
echo keys($a), "\n";

$a = range(0, 20);
for ($i = 20; $i > 3; $i--) {
    unset($a[$i]);
}
$a[6] = 'x';
$a[] = 'y';
echo keys($a), "\n";

$a = [5 => 1, 2];
unset($a[6]);
$a[6] = 3;
$a[] = 4;
echo keys($a), "\n";

function stack(int $depth): string
{
    $stack = [];
    for ($i = 0; $i < $depth; $i++) {
        $stack[] = $i;
    }
    for ($i = $depth - 1; $i > 1; $i--) {
        unset($stack[$i]);
    }
    for ($i = 2; $i < $depth - 1; $i++) {
        $stack[$i] = -$i;
    }
    $stack[] = 'next';
    return keys($stack);
}

for ($round = 0; $round < 5; $round++) {
    echo stack(5), stack(9), "\n";
}

$a = [1, 2, 3, 4];
unset($a[3]);
$reference = &$a[3];
$a[] = 1;
echo keys($a), "\n";
$a = [1, 2, 3, 4];
unset($a[3], $a[2]);
$a[2][] = 'x';
$a[] = 1;
echo keys($a), "\n";
