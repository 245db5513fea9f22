<?php
// A function that calls itself: arguments and results in registers.
function fib(int $n): int {
    return $n < 2 ? $n : fib($n - 1) + fib($n - 2);
}
fib(5);
