<?php
// Integers that overflow, variables that change their type, comparisons of both, in loops and nests of loops.

function overflow(int $start): array
{
    $sum = $start;
    $steps = 0;
    for ($i = 0; $i < 40; $i++) {
        $sum += $i * 3;
        $steps++;
    }
    return [$sum, $steps, $i];
}
var_dump(overflow(0), overflow(PHP_INT_MAX - 100));

function factorials(): void
{
    $f = 1;
    for ($i = 1; $i <= 24; $i++) {
        $f *= $i;
        if ($i % 6 === 0) {
            var_dump($f);
        }
    }
}
factorials();

function series(int $n): float|int
{
    $s = 0;
    for ($i = 1; $i <= $n; $i++) {
        $s += 1 / $i;
    }
    return $s;
}
var_dump(series(1), round(series(50), 10));

function nested(int $n): array
{
    $ints = 0;
    $floats = 0;
    for ($i = 0; $i < $n; $i++) {
        $row = 0;
        for ($j = 0; $j < $n; $j++) {
            $row += $i * $j / 2;
            if ($j & 1) {
                continue;
            }
            $ints ^= ($i << 3) + $j;
            if ($j > 12) {
                break;
            }
        }
        $floats += $row;
    }
    return [$ints, $floats];
}
var_dump(nested(20));

function bits(): void
{
    $x = 1;
    for ($i = 0; $i < 70; $i++) {
        $x = ($x << 1) ^ ($x >> 63) ^ ~$i & 0xff;
        $y = $x >> ($i % 8);
        $z = 1 << $i;
    }
    var_dump($x, $y, $z, -7 % 3, PHP_INT_MIN % -1);
    try {
        for ($i = 3; $i > -3; $i--) {
            $z = 8 << $i;
        }
    } catch (ArithmeticError $e) {
        echo get_class($e), ": ", $e->getMessage(), " at $i\n";
    }
    try {
        for ($i = 3; $i > -3; $i--) {
            $z = 12 % $i;
        }
    } catch (DivisionByZeroError $e) {
        echo $e->getMessage(), " at $i\n";
    }
    try {
        for ($i = 3; $i > -3; $i--) {
            $z = 1.5 / $i;
        }
    } catch (DivisionByZeroError $e) {
        echo $e->getMessage(), " at $i\n";
    }
}
bits();

function casts(): void
{
    $acc = 0;
    for ($i = 0; $i < 30; $i++) {
        $f = $i * 1e18;
        $acc ^= @(int) $f;
        $acc += (int) ($i / 3) + (int) ($i % 2 === 0) + intdiv(-$i, 4);
        $g = (float) $i;
        $b = (bool) ($i % 3);
        $n = !$b;
    }
    var_dump($acc, $g, $b, $n);
}
casts();

function nan(): void
{
    $nan = NAN;
    $hits = 0;
    for ($i = 0; $i < 10; $i++) {
        if ($nan < $i) $hits += 1;
        if ($nan >= $i) $hits += 10;
        if ($nan == $nan) $hits += 100;
        if ($nan != $nan) $hits += 1000;
        $hits += ($nan <=> 1.0) + (2 <=> $i) + (1.5 <=> $i);
    }
    var_dump($hits);
}
nan();

// The same loop with integers, then with floats, then with strings.
foreach ([[1, 2], [1.5, 2.5], ["3", "4"], [true, false], [null, 7]] as [$a, $b]) {
    $sum = 0;
    for ($i = 0; $i < 25; $i++) {
        $sum = $sum + $a * $b;
    }
    var_dump($sum);
}

// In the global scope, variables are seen by their names too.
for ($i = 0; $i < 12; $i++) {
    $total = ($total ?? 0) + $i;
    if ($i === 9) {
        $name = 'total';
        $$name = 1000;
        $GLOBALS['i'] = 10;
    }
}
var_dump($total, $i);
