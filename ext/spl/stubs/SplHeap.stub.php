<?php
abstract class SplHeap implements Iterator, Countable {
    public function extract(): mixed {}
    public function insert(mixed $value): true {}
    public function top(): mixed {}
    public function count(): int {}
    public function isEmpty(): bool {}
    public function rewind(): void {}
    public function current(): mixed {}
    public function key(): int {}
    public function next(): void {}
    public function valid(): bool {}
    public function recoverFromCorruption(): true {}
    abstract protected function compare(mixed $value1, mixed $value2): int;
    public function isCorrupted(): bool {}
    public function __debugInfo(): array {}
}
