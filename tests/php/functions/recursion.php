<?php
// Deep recursion does not exhaust a native stack.
function depth(int $n): int { return $n === 0 ? 0 : 1 + depth($n - 1); }
echo depth(20000), "\n";
function ackermann($m, $n)
{
    return $m === 0 ? $n + 1 : ($n === 0 ? ackermann($m - 1, 1) : ackermann($m - 1, ackermann($m, $n - 1)));
}
echo ackermann(2, 9), "\n";
function fib(int $n): int { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
echo fib(20), "\n";
$even = fn($n) => $n === 0 ? 'even' : $odd($n - 1);
function isEven($n) { return $n === 0 || isOdd($n - 1); }
function isOdd($n) { return $n !== 0 && isEven($n - 1); }
var_dump(isEven(1001));
function hanoi(int $n, string $a, string $b, string $c): int
{
    return $n === 0 ? 0 : hanoi($n - 1, $a, $c, $b) + 1 + hanoi($n - 1, $c, $b, $a);
}
echo hanoi(10, 'a', 'b', 'c'), "\n";
