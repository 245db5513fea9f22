<?php
// Collecting and spreading, with keys, by reference and from iterators.
function sum(int ...$numbers): int { return array_sum($numbers); }
echo sum(), sum(1, 2, 3), sum(...[4, 5], ...[6]), "\n";
function gen() { yield 1; yield 2; }
echo sum(...gen()), sum(10, ...new ArrayIterator([1, 2])), "\n";
function bump(&...$refs) { foreach ($refs as &$r) { $r++; } }
$a = 1;
$b = [5];
bump($a, $b[0], $b['new']);
echo $a, json_encode($b), "\n";
echo json_encode([...[1, 2], ...['a' => 1, 'b' => 2], ...['a' => 3], ...gen()]), "\n";
try {
    sum(1, 'x');
} catch (TypeError $e) {
    echo preg_replace('~, called in.*~', '', $e->getMessage()), "\n";
}
try {
    sum(...'no');
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
function old() { return [func_num_args(), func_get_args(), func_num_args() > 1 ? func_get_arg(1) : null]; }
echo json_encode(old(1, 'two', 3)), "\n";
