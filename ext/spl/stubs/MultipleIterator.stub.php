<?php
class MultipleIterator implements Iterator {
    public const int MIT_NEED_ANY = 0;
    public const int MIT_NEED_ALL = 1;
    public const int MIT_KEYS_NUMERIC = 0;
    public const int MIT_KEYS_ASSOC = 2;
    public function __construct(
        int $flags = MultipleIterator::MIT_NEED_ALL|MultipleIterator::MIT_KEYS_NUMERIC
    ) {}
    public function getFlags(): int {}
    public function setFlags(int $flags): void {}
    public function attachIterator(Iterator $iterator, string|int|null $info = null): void {}
    public function detachIterator(Iterator $iterator): void {}
    public function containsIterator(Iterator $iterator): bool {}
    public function countIterators(): int {}
    public function rewind(): void {}
    public function valid(): bool {}
    public function key(): array {}
    public function current(): array {}
    public function next(): void {}
    public function __debugInfo(): array {}
}
