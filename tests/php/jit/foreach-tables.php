<?php
// foreach over hash tables in compiled code: holes, keys of both kinds, lists and tables in one loop, changes meanwhile.

function text(array $a): string
{
    $sum = 0;
    $text = '';
    foreach ($a as $key => $value) {
        $text .= $key . '=';
        if (is_int($value)) {
            $sum += $value;
        } else {
            $text .= $value;
        }
    }
    return "$text:$sum";
}

function sum($a)
{
    $sum = 0;
    foreach ($a as $value) {
        $sum += $value;
    }
    return $sum;
}

function changing(int $n): string
{
    $counts = [];
    for ($i = 0; $i < $n; $i++) {
        $counts['k' . ($i % 50)] = $i;
    }
    $sum = 0;
    for ($j = 0; $j < 200; $j++) {
        foreach ($counts as $key => $value) {
            if ($j == $value % 300) {
                unset($counts[$key]);
            }
            $counts['new' . $j % 7] = $j;
            $sum += $value;
            if ($value === 999) {
                break;
            }
        }
    }
    return "$sum " . count($counts);
}

function nested(array $rows): int
{
    $sum = 0;
    foreach ($rows as $name => $row) {
        foreach ($row as $column => $value) {
            $sum = ($sum * 31 + strlen($name) + $column * $value) % 1000003;
        }
    }
    return $sum;
}

function bound(array $a): array
{
    $b = $a;
    $r = &$b['x'];
    foreach ($b as $k => $v) {
        $r = $v . $k;
    }
    return $b;
}

$x = ['a' => 1, 'b' => 2, 5 => 3, 'c' => 'hey'];
unset($x['b']);
$all = '';
for ($i = 0; $i < 2000; $i++) {
    $x['a'] = $i;
    if ($i % 3 == 0) {
        unset($x['a']);
    }
    $all = md5($all . text($x) . sum(['x' => $i, 'y' => 1.5]) . sum([1, 2, 3]) . sum([]) . text([1, 2, 'q']) . sum([7 => 1, 3 => 4]));
    $all .= nested(['one' => [1, 2, $i], 'three' => [5 => 1, 2 => $i]]);
    $all .= implode(',', bound(['x' => $i, 'y' => 'z']));
}
echo $all, "\n", changing(1000), "\n";
