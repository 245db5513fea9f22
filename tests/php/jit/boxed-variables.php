<?php
// Variables that are passed by reference to builtin functions in compiled code: what they hold before, meanwhile and after.
function rotated(array $path, int $n): string
{
    $text = '';
    for ($i = 0; $i < $n; $i++) {
        $first = array_shift($path);
        $copy = $path;
        array_push($path, $first, $i & 3);
        array_pop($path);
        $text = count($copy) . ':' . implode(',', $path);
    }
    return $text;
}
function matched(array $lines): array
{
    $found = [];
    foreach ($lines as $line) {
        if (preg_match('/^(\w+)=(\d*)$/', $line, $m)) {
            $found[$m[1]] = $m[2];
        } elseif (preg_match('/(\d)/', $line, $m, 0, 1)) {
            $found[] = $m[1];
        } else {
            $found[] = count($m);
        }
    }
    return $found;
}
function lent(array $list): array
{
    $out = [];
    for ($i = 0; $i < 300; $i++) {
        $out = [$list, array_shift($list), $list, array_push($list, $list[0], $i), count($list)];
        $list = array_slice($list, -4);
    }
    return $out;
}
function overwritten(): array
{
    $out = [];
    for ($i = 0; $i < 300; $i++) {
        $stack = [1, 2, 3];
        $other = &$stack;
        array_push($stack, $i);
        $out = $other;
        unset($other);
        $last = array_pop($stack);
        $stack = 'text';
        $out[] = [$last, $stack];
        array_unshift($out, $out[0]);
    }
    return $out;
}
function typed(mixed $value): string
{
    try {
        for ($i = 0; $i < 60; $i++) {
            if ($i > 50) {
                $value = 'no array';
            }
            array_push($value, $i);
        }
        return json_encode($value);
    } catch (TypeError $error) {
        return $error->getMessage() . ' ' . json_encode($value);
    }
}
function walked(array $list): string
{
    $text = '';
    foreach ($list as $key => &$value) {
        if (count($list) < 8) {
            array_push($list, $value . $key);
        }
        $text .= "$key=$value ";
    }
    return $text;
}
function shared(array $list): array
{
    static $kept = [];
    for ($i = 0; $i < 200; $i++) {
        array_push($kept, array_shift($list) ?? $i);
        $list[] = $i;
        if (count($kept) > 5) {
            array_shift($kept);
        }
    }
    return $kept;
}
for ($round = 0; $round < 60; $round++) {
    $results = [
        rotated(['a', 'b', 'c'], 20 + $round),
        matched(['a=1', 'b=', 'x7', ' none ', 'c=3']),
        lent([1, 2, 3, 4, 5]),
        overwritten(),
        typed([]),
        walked(['p', 'q']),
        shared(['s']),
    ];
}
echo json_encode($results, JSON_PRETTY_PRINT), "\n";
$queue = [0];
$stack = [];
$seen = [];
$sum = 0;
for ($i = 0; $i < 3000; $i++) {
    $x = array_shift($queue) ?? 0;
    $seen[$x % 97] = true;
    $stack[] = $x;
    if (count($queue) < 30) {
        array_push($queue, $x * 3 + 1 & 0xffff, $x * 5 + $i & 0xffff);
    }
    if (count($stack) > 100) {
        $sum += array_pop($stack) - array_pop($stack);
    }
}
echo $sum, ' ', count($queue), ' ', count($stack), ' ', count($seen), "\n";
$list = range(1, 9);
for ($i = 0; $i < 3000; $i++) {
    $copy = $list;
    $copy[$i % 9] = -$copy[$i % 9];
    if ($i % 3 === 0) {
        $cut = array_splice($copy, 2, 3, [$i, $i + 1]);
        $sum += count($copy) + array_sum($cut);
    }
    $list = $i & 1 ? $list : array_slice($copy, 0, 9);
    while (count($list) < 9) {
        $list[] = $i;
    }
}
echo $sum, ' ', json_encode($list), "\n";
$GLOBALS['queue'][] = 'from outside';
$alias = &$queue;
for ($i = 0; $i < 3000; $i++) {
    array_push($queue, $i);
    array_shift($alias);
}
echo count($alias), ' ', end($queue), "\n";
