<?php
// Arithmetic with doubles whose result is an operand of the next opline, and what comes in between.
function poly($a, $b, $c, $n) {
    $r = 0.0;
    for ($i = 0; $i < $n; $i++) {
        $r = $a * $b * 2 + $c;
        $r = 2 * $a * $b - $r;
        $r = $c - $a * $b;
        $r += $a - $b - $c;
        if ($a + $b < 1000) $r = $r * 0.5 + $i;
        if ($a * $a + $b * $b > 50) $r = 1.5 - $r;
    }
    return $r;
}
var_dump(poly(1.5, 2.5, 0.25, 50));
var_dump(poly(3, 4, 5, 50));
var_dump(poly(1.5, 4, 5, 50));
var_dump(poly(4, 1.5, 5.5, 50));
var_dump(poly(PHP_INT_MAX, 1.5, 2, 50));
var_dump(poly("1.5", 2.5, "3", 50));
var_dump(poly(1.5, 2.5, 0.25, 50));

// The second opline is jumped to, too.
function chosen($a, $b, $c, $flag) {
    $r = 0.0;
    for ($i = 0; $i < 40; $i++) {
        $r += ($flag && $i % 2 ? $a * $b : $c) + 1.5;
    }
    return $r;
}
var_dump(chosen(1.5, 2.5, 4.5, true), chosen(1.5, 2.5, 4, false), chosen(2, 3, 4.5, true));

// References and what is no number.
function refs() {
    $x = 1.5; $y = 2.5; $z = &$y; $out = [];
    for ($i = 0; $i < 40; $i++) {
        $w = $x * $y + $z;
        if ($i == 20) $z = 4;
        if ($i == 30) $z = "6.5";
        $out[] = $w;
    }
    return array_sum($out);
}
var_dump(refs());
try {
    $f = function ($a, $b) { $r = 0; for ($i = 0; $i < 40; $i++) { $r = $a * $b + ($i < 39 ? 1.5 : []); } return $r; };
    $f(1.5, 2.5);
} catch (TypeError $e) { echo $e->getMessage(), "\n"; }
