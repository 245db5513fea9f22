<?php
// Functions with loops return from everywhere, and what their frames hold goes in its order.

class Loud { public function __construct(public string $name) {} public function __destruct() { echo "[{$this->name}]"; } }
class Walk implements IteratorAggregate {
    public function __construct(private array $items) {}
    public function getIterator(): Iterator { foreach ($this->items as $key => $item) { yield $key => $item; } }
    public function __destruct() { echo '[walk]'; }
}
function first(iterable $items): mixed { foreach ($items as $item) { return $item; } return null; }
function nested(array $a, array $b): ?string { foreach ($a as $x) { foreach ($b as $y) { if ($x === $y) { return "both $x"; } } } return null; }
function last(array $items, ...$more) { foreach ($items as &$item) { $item .= '!'; } unset($item); foreach ($more as $m) { $items[] = $m; } return implode($items); }
function thrown(array $items) { foreach ($items as $item) { foreach ([1] as $inner) { throw new Exception($item); } } }
function optional(array $items = [1, 2], $x = new Loud('default')) { foreach ($items as $i); return $i; }
function held($x) { foreach ([$x] as $y); $f = function () use ($x) { foreach ([1, 2] as $z); return $x->name . $z; }; return $f(); }
function recursive(int $n): int { $sum = 0; foreach ([1, 2] as $x) { $sum += $n > 0 ? recursive($n - 1) : $x; } return $sum; }
for ($round = 0; $round < 3; $round++) {
    echo first([1, 2]), first(new Walk(['a', 'b'])), first(new ArrayIterator(['i'])), var_export(first([]), true), "\n";
    echo nested(['a', 'b'], ['c', 'b']), var_export(nested(['a'], ['b']), true), last(['x', 'y'], 'z', 'w'), "\n";
    try {
        thrown(['oops']);
    } catch (Exception $e) {
        echo $e->getMessage(), "\n";
    }
    echo optional(), optional([5]), held(new Loud('held')), recursive(4), "\n";
    echo first((function () { try { yield new Loud('yielded'); } finally { echo '[finally]'; } })())->name, "\n";
    echo (function ($a) { foreach ($a as $x) { if ($x->name === 'two') { return $x; } } })([new Loud('one'), new Loud('two'), new Loud('three')])->name, "\n";
    echo implode(',', array_map(function ($row) { foreach ($row as $cell) { if ($cell > 1) { return $cell; } } return 0; }, [[1, 2], [3], [1]])), "\n";
    $bound = Closure::bind(fn () => array_map(fn ($x) => $x . $this->name, ['p', 'q']), new Loud('bound'));
    echo implode($bound()), "\n";
    unset($bound);
    try {
        new ArrayIterator(5);
    } catch (TypeError $e) {
        echo $e->getMessage(), "\n";
    }
    try {
        new DateTimeImmutable('not a date at all');
    } catch (Exception $e) {
        echo get_class($e), "\n";
    }
    echo count(new ArrayObject([1, 2])), (new ArrayIterator(['n']))->current(), "\n";
}
