<?php
// Branches between ways that only calculate: elements may be read before it is known whether they are needed.

function grow(array $own, array $other, int $trips): int
{
    $sum = 0;
    for ($i = 0; $i < $trips; $i++) {
        $n = $other[$i];
        $sum += $n === 3 || ($n === 2 && $own[$i] === 1) ? 1 : 0;
    }
    return $sum;
}

$other = $own = [];
for ($i = 0; $i < 3000; $i++) {
    $other[] = $i % 5;
    $own[] = $i % 3;
}
echo grow($own, $other, 3000), "\n";

// What the branch guards against: the list is shorter, an element is of another kind, and not looked at.
$short = array_slice($own, 0, 2000);
$late = $other;
for ($i = 2000; $i < 3000; $i++) {
    $late[$i] = 4;
}
for ($k = 0; $k < 20; $k++) {
    echo grow($short, $late, 3000), ' ';
}
$own[101] = 'x';
$own[102] = 1.0;
$other[101] = 0;
echo grow($own, $other, 3000), "\n";
$own[103] = null;
$other[103] = 2;
echo grow($own, $other, 3000), "\n";
// It is looked at after all.
echo grow($short, $other, 2003), "\n";

function checksum(int $c): int
{
    for ($k = 0; $k < 64; $k++) {
        $c = $c & 1 ? ($c >> 1) ^ 0x6db88320 : $c >> 1;
    }
    return $c;
}

$all = 0;
for ($i = 0; $i < 3000; $i++) {
    $all ^= checksum($i * 7919 + 1) + $i;
}
echo $all, "\n";

// Truth values, and results that are numbers on one way only.
function truths(array $list): string
{
    $text = '';
    $last = false;
    $most = PHP_INT_MIN;
    foreach ($list as $i => $value) {
        $is = $value > 2 ? $last : !$last;
        $last = $value & 1 ? $is : false;
        $most = $value > $most ? $value : $most;
        $mixed = $value > 3 ? 1 : 1.5;
        if ($i % 500 === 0) {
            $text .= var_export($last, true) . " $most $mixed ";
        }
    }
    return $text;
}
echo truths($late), "\n", truths($other), "\n";
