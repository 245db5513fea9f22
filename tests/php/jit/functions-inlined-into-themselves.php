<?php
// Functions that call themselves or each other, of which a call or two is inlined: the frames are there when somebody looks.
function fib(int $n): int { if ($n < 2) { return $n; } return fib($n - 1) + fib($n - 2); }
function any($n) { return $n < 1 ? ($n < 0 ? 'minus' : 0) : any($n - 1) + 1; }
function deep(int $n) { return $n === 0 ? (new Exception('deep'))->getTraceAsString() : deep($n - 1); }
function thrower(int $n, int $at) { if ($n === $at) { throw new Exception("at $n"); } return $n === 0 ? 1 : thrower($n - 1, $at) + 1; }
function catcher(int $n) { try { return thrower($n, 3) + 1; } catch (Exception $e) { return $e->getMessage() . count($e->getTrace()); } }
function even(int $n): bool { return $n === 0 ? true : odd($n - 1); }
function odd(int $n): bool { return $n === 0 ? false : even($n - 1); }
function mixed(int $n) { if ($n % 7 === 6) { return "s$n"; } return $n <= 0 ? 1.5 : strlen((string) mixed($n - 1)) + $n; }
function big(int $n, int $add) { return $n === 0 ? PHP_INT_MAX - 3 : big($n - 1, $add) + $add; }
function trace(int $n) { return $n === 0 ? debug_backtrace() : trace($n - 1); }
function lines(int $n) { if ($n === 0) { return array_map(fn ($f) => ($f['line'] ?? '-') . $f['function'] . json_encode($f['args'] ?? null), debug_backtrace()); }
    $r = lines($n - 1);
    return $r;
}
function held(array $a, int $n) { if ($n === 0) { $a[] = 1; return count($a); } return held($a, $n - 1) + count($a); }
function text(string $s, int $n): string { return $n === 0 ? $s : text($s . $n, $n - 1) . '.'; }
class Tree {
    public ?Tree $left = null; public ?Tree $right = null;
    function __construct(public int $value) {}
    static function make(int $depth, int $value): ?Tree { if ($depth === 0) { return null; } $t = new Tree($value); $t->left = self::make($depth - 1, $value * 2); $t->right = self::make($depth - 1, $value * 2 + 1); return $t; }
    function sum(): int { return $this->value + ($this->left ? $this->left->sum() : 0) + ($this->right ? $this->right->sum() : 0); }
    function depth(): int { return 1 + max($this->left?->depth() ?? 0, $this->right?->depth() ?? 0); }
    function find(int $value): ?Tree { if ($this->value === $value) { return $this; } if ($this->left === null) { return null; } return $this->left->find($value) ?? $this->right->find($value); }
    static function gcd(int $a, int $b): int { return $b === 0 ? $a : static::gcd($b, $a % $b); }
}
class Bush extends Tree { static function gcd(int $a, int $b): int { return parent::gcd($a, $b) * 10; } }
class Step { private $n = 0; function inc() { $this->n++; return $this->twice(2); } function twice($k) { return $this->n * $k; } function both() { return $this->inc() + $this->twice(3); } }
class Killer { function __construct(public int $n) {} function __destruct() { if ($this->n === 2) { global $killed; $killed++; } } }
function kills(int $n) { $k = new Killer($n); return $n === 0 ? 0 : kills($n - 1) + 1; }
function refers(int $n, &$out) { if ($n === 0) { $out = 'end'; return 0; } return refers($n - 1, $out) + 1; }
$killed = 0;
for ($round = 0; $round < 150; $round++) {
    $tree = Tree::make(4, 1);
    $step = new Step();
    $out = [fib(10), any(9), any(-1), catcher(2), catcher(9), even(11), odd(11), mixed(4), mixed(9), is_float(big(3, 1)), is_float(big(2, 9)), big(1, 2), count(trace(5)),
        held([1, 2], 4), text('x', 5), $tree->sum(), $tree->depth(), $tree->find(13)->value, $tree->find(99), Tree::gcd(84, 36), Bush::gcd(84, 36), $step->both(), $step->inc(),
        kills(4), $killed / ($round + 1), refers(5, $end), $end];
    if ($round % 50 == 0) { $out[] = lines(4); echo str_replace(__DIR__, '', deep(5)), "\n"; }
    if ($round % 10 == 9) { try { any('x'); } catch (TypeError $e) { $out[] = str_replace(__DIR__, '', $e->getMessage()); } try { fib("12abc"); } catch (TypeError $e) { $out[] = str_replace(__DIR__, '', $e->getMessage()); } $out[] = fib("7"); }
    $hash = md5(($hash ?? '') . json_encode($out));
}
echo $hash, "\n", json_encode($out), "\n";
