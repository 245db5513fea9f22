<?php
// array_splice of lists: all places, with and without a replacement, of itself, shared, with references inside.
function show(string $what, array $a): void
{
    echo $what, ' ', json_encode($a), "\n";
}
for ($round = 0; $round < 3; $round++) {
    foreach ([[0, null], [0, 2], [2, 3], [3, 0], [-2, 1], [1, -1], [5, 1], [9, 9], [-9, 2]] as [$offset, $length]) {
        foreach ([[], ['x'], ['x', 'y', 'z', [1]]] as $new) {
            $a = [1, 2.5, 'three', [4], null];
            $b = $a;
            $removed = array_splice($a, $offset, $length, $new);
            show("$offset/" . json_encode($length), [$removed, $a, $b]);
            $a[] = 'next';
            echo array_key_last($a), "\n";
        }
    }
}
$a = [1, 2, 3];
show('itself', [array_splice($a, 1, 1, $a), $a]);
$a = range(1, 6);
unset($a[5]);
show('popped', [array_splice($a, 1, 2), $a]);
$a[] = 'n';
show('next', $a);
$one = 'one';
$a = [&$one, 2, 3];
$taken = array_splice($a, 0, 1, ['new']);
$one = 'changed';
show('reference', [$taken, $a]);
$x = 5;
$values = [&$x, 6];
$a = [1, 2, 3];
array_splice($a, 1, 1, $values);
$x = 'later';
show('referenced', $a);
$a = ['a' => 1, 'b' => 2, 7 => 3];
show('keys', [array_splice($a, 1, 1, ['q', 'r']), $a]);
$a = [1, 2, 3, 4];
next($a);
next($a);
array_splice($a, 1, 1);
echo current($a), "\n";
$a = [1, 2, 3, 4, 5];
foreach ($a as $key => &$value) {
    echo $key, '=', $value, ' ';
    if ($key === 1) {
        array_splice($a, 0, 1);
    }
}
unset($value);
echo "\n";
show('walked', $a);
array_splice($a, 1, 0, 'text');
show('scalar', $a);
$s = 'str';
$strings = [$s . 1, $s . 2, $s . 3, 4, 5, 6, 7, 8, 9.5, true, null, $s . 4];
for ($from = 0; $from < 12; $from++) {
    show('slice', array_slice($strings, $from, 6));
}
$r = 1;
$mixed = [1, &$r, [2], 'x', 3, 4, 5, 6, 7];
$slice = array_slice($mixed, 0, 8);
$r = 2;
show('slice of references', [$slice, array_slice($mixed, 1, 1)]);
