<?php
class SplPriorityQueue implements Iterator, Countable {
    public const int EXTR_BOTH = 3;
    public const int EXTR_PRIORITY = 2;
    public const int EXTR_DATA = 1;
    public function compare(mixed $priority1, mixed $priority2): int {}
    public function insert(mixed $value, mixed $priority): true {}
    public function setExtractFlags(int $flags): int {}
    public function top(): mixed {}
    public function extract(): mixed {}
    public function count(): int {}
    public function isEmpty(): bool {}
    public function rewind(): void {}
    public function current(): mixed {}
    public function key(): int {}
    public function next(): void {}
    public function valid(): bool {}
    public function recoverFromCorruption(): true {}
    public function isCorrupted(): bool {}
    public function getExtractFlags(): int {}
    public function __debugInfo(): array {}
}
