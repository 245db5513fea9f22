<?php
// Code of a loop is entered while it runs: counters are compared with their limits there once more.
function until(array $a, int $n) { $i = 0; do { $x = $a[$i]; if ($x === 7) break; $i++; } while ($i < $n); return $i; }
function down(int $from, int $to, int $by) { $s = 0; do { $s += $from; $from -= $by; } while ($from > $to); return "$s $from"; }
function up($from, $to, $by) { $n = 0; do { $n++; $from += $by; } while ($from <= $to); return "$n " . var_export($from, true); }
function neighbours(array $a, int $n) {
    $s = 0;
    for ($i = 0; $i < $n; $i++) {
        $l = $i === 0 ? $n - 1 : $i - 1;
        $s += ($a[$i] === 1 || ($a[$l] === 2 && $a[$i] === 3)) ? 1 : 0;
    }
    return $s;
}
$short = [...array_fill(0, 50, 1), 7];
for ($k = 0, $s = 0; $k < 300; $k++) { $s += until($short, 1000); }
echo $s, "\n";
for ($k = 0, $s = 0; $k < 300; $k++) { $s += until([...$short, 1, 1], $k % 60 + 1); }
echo $s, "\n";
foreach ([[1000, 0, 1], [1000, -7, 3], [5, 10, 1], [PHP_INT_MIN + 400, PHP_INT_MIN + 1, 7]] as $args) {
    echo down(...$args), "\n";
}
foreach ([[0, 1000, 1], [PHP_INT_MAX - 300, PHP_INT_MAX - 1, 1], [PHP_INT_MAX - 5000, PHP_INT_MAX - 3000, 7], [9, 3, 1]] as $args) {
    echo up(...$args), "\n";
}
for ($k = 0, $s = 0; $k < 200; $k++) { $s += neighbours([1, 2, 3, 1, 2, 2, 3, 3, 1], 9); }
echo $s, "\n";
set_error_handler(function ($no, $text) { echo $text, "\n"; return true; });
neighbours([1, 2], 5);
$a = array_fill(0, 500, 3);
for ($i = -200, $s = 0; $i < 500; $i++) { $s += $a[$i] ?? 100; }
echo $s, "\n";
