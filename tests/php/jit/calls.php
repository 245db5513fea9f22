<?php
// Compiled functions: results, frames of exceptions and backtraces, arguments of all kinds, recursion.
function fib($n) { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
function half(int $n): float { return $n / 2; }
function widen(float $x): float { return $x; }
function is_even(int $n): bool { return $n === 0 ? true : is_odd($n - 1); }
function is_odd(int $n): bool { return $n === 0 ? false : is_even($n - 1); }
function nothing(int $n): void { if ($n > 0) { nothing($n - 1); } }
function mixed_result(int $n) { return $n > 20 ? 1.5 : $n; }
function first(array $list, int $at): int { return $list[$at] * 2; }
function length(string $text): int { return strlen($text) + 1; }
function deep(int $n): int { return $n === 0 ? 0 : 1 + deep($n - 1); }
function fails(int $n): int {
    if ($n === 0) {
        throw new LogicException("at the end");
    }
    return fails($n - 1) + 1;
}
function where(int $n): int {
    if ($n === 0) {
        return count(debug_backtrace());
    }
    return where($n - 1) + 0;
}
function shown(int $n, array $list, string $text): int {
    if ($n === 0) {
        foreach (debug_backtrace() as $i => $frame) {
            echo $i, ' ', $frame['function'], '(', json_encode($frame['args'] ?? []), ') line ', $frame['line'] ?? 0, "\n";
        }
        return 1;
    }
    return shown($n - 1, $list, $text) + count($list);
}
function overflow(int $n) { return $n + PHP_INT_MAX; }

class Point
{
    public function __construct(private int $x, private float $y) {}
    public function power(int $n): int { return $n === 0 ? 1 : 2 * $this->power($n - 1); }
    public static function sum(int $n): int { return $n === 0 ? 0 : $n + self::sum($n - 1); }
    public static function late(int $n): int { return $n === 0 ? static::base() : 1 + static::late($n - 1); }
    public static function base(): int { return 10; }
}
class Sub extends Point
{
    public static function base(): int { return 20; }
    public function power(int $n): int { return $n === 0 ? 5 : parent::power($n); }
}

for ($round = 0; $round < 3; $round++) {
    $sum = 0;
    for ($i = 0; $i < 60; $i++) {
        $sum += fib($i % 12) + half($i) + widen($i) + (is_even($i) ? 1 : 0) + mixed_result($i);
        $sum += first([1, 2, 3, $i], $i % 4) + length("abc$i") + deep($i);
        nothing($i);
    }
    var_dump($sum);
    try {
        echo fails(30), "\n";
    } catch (LogicException $e) {
        echo $e->getMessage(), ' ', count($e->getTrace()), ' ', $e->getTrace()[3]['args'][0] ?? 'none', "\n";
    }
    echo where(40), "\n";
    echo shown(3, [1, 'two'], "text $round"), "\n";
    $p = new Point(1, 2.0);
    $s = new Sub(1, 2.0);
    for ($i = 0; $i < 40; $i++) {
        $sum += $p->power($i % 10) + $s->power($i % 10) + Point::sum($i) + Point::late($i) + Sub::late($i);
    }
    var_dump($sum);
    var_dump(overflow(0), overflow($round));
    try {
        echo half("x"), "\n";
    } catch (TypeError $e) {
        echo $e->getMessage(), "\n";
    }
    var_dump(half("12"), length($round));
}
echo deep(20000), "\n";
try {
    echo first([], 0), "\n";
} catch (TypeError | ErrorException $e) {
    echo get_class($e), "\n";
}
