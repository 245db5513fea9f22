<?php
namespace {
    /** A value cut to a size that stays printable. */
    function small($v, $depth = 0) {
        if (is_string($v)) return strlen($v) > 30 ? substr($v, 0, 30) : $v;
        if (!is_array($v)) return $v;
        if ($depth > 1) return count($v);
        $r = [];
        foreach ($v as $k => $x) {
            if (count($r) >= 8) break;
            $r[is_string($k) ? substr($k, 0, 20) : $k] = small($x, $depth + 1);
        }
        return $r;
    }
    /** A value as text, to a limited depth. */
    function show($v, $depth = 0) {
        if (is_array($v)) {
            if ($depth > 3) return '[..]';
            $r = '[';
            foreach ($v as $k => $x) $r .= (is_string($k) ? "'$k'" : $k) . '=>' . show($x, $depth + 1) . ',';
            return $r . ']';
        }
        if ($v instanceof \Closure || $v instanceof \Generator) return get_class($v);
        if (is_object($v)) return get_class($v) . show(get_object_vars($v), $depth + 1);
        return is_string($v) ? '"' . $v . '"' : var_export($v, true);
    }
    function out(...$values) {
        foreach ($values as $v) echo substr(show($v), 0, 300), ' ';
        echo "\n";
    }
    /** Typed properties, and methods that are small. */
    class Cell implements IteratorAggregate, ArrayAccess {
        public int $n = 3;
        public float $f = 1.5;
        public array $a = [1, 2, 3];
        public mixed $mixed = null;
        function __construct(int $n = 1) { $this->n = $n; }
        function bump(int $by): int { $this->n += $by; if ($this->n > 500) $this->n -= 400; return $this->n; }
        function sum(): int { return $this->n + count($this->a); }
        function same(): static { return $this; }
        function getIterator(): Iterator { return new ArrayIterator($this->a); }
        function offsetExists(mixed $at): bool { return isset($this->a[$at]); }
        function offsetGet(mixed $at): mixed { return $this->a[$at] ?? $this->n; }
        function offsetSet(mixed $at, mixed $value): void { $at === null ? $this->a[] = $value : $this->a[$at] = $value; $this->a = array_slice($this->a, 0, 9); }
        function offsetUnset(mixed $at): void { unset($this->a[$at]); }
    }
    /** Hooks, and calls that callables make. */
    class Hooked {
        public int $inner = 1;
        public int $twice { get => $this->inner * 2; set(int|string $by) { echo 'set '; $this->inner = (int)$by; } }
        public ?string $loud = null { set { $this->loud = strtoupper(small($value ?? 'null')); } get { echo 'get '; return $this->loud; } }
        public array $list { &get { return $this->kept; } }
        public int $sum { get => $this->inner + count($this->kept); }
        private array $kept = [1, 'k' => 2];
        function __construct(int $inner = 0) { $this->inner = $inner & 1023; }
        function plus(int $by = 1): int { return $this->inner + ($by & 255); }
        function __invoke($x) { return [$this->inner, small($x)]; }
        static function of(...$values): array { return small($values); }
    }
    final class Fixed {
        public $free = 1;
        function __construct(public readonly array $list = [], public readonly ?Fixed $next = null) {}
        function with(mixed $list): static { $copy = clone $this; $copy->list = $list; return $copy; }
    }
    /** Fields by name, like an array. */
    class Fields implements ArrayAccess, Countable, Iterator {
        private int $at = 0;
        function __construct(private array $fields = []) {}
        function count(): int { return count($this->fields); }
        function offsetExists(mixed $name): bool { echo 'exists '; return isset($this->fields[$name]); }
        function &offsetGet(mixed $name): mixed { echo 'get '; return $this->fields[$name]; }
        function offsetSet(mixed $name, mixed $value): void { echo 'set '; if ($name === null) $this->fields[] = $value; else $this->fields[$name] = $value; }
        function offsetUnset(mixed $name): void { echo 'unset '; unset($this->fields[$name]); }
        function current(): mixed { return array_values($this->fields)[$this->at]; }
        function key(): mixed { return array_keys($this->fields)[$this->at]; }
        function next(): void { $this->at++; }
        function rewind(): void { $this->at = 0; }
        function valid(): bool { return $this->at < count($this->fields) && $this->at < 6; }
    }
    function named($a = 'a', $b = 2, ...$rest) { return small([$a, $b, $rest]); }
    function change(&$place, $value) { $place = [$place, $value]; $place = small($place); return $place; }
}
