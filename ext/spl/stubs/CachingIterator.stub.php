<?php
class CachingIterator extends IteratorIterator implements ArrayAccess, Countable, Stringable {
    public const int CALL_TOSTRING = 1;
    public const int CATCH_GET_CHILD = 16;
    public const int TOSTRING_USE_KEY = 2;
    public const int TOSTRING_USE_CURRENT = 4;
    public const int TOSTRING_USE_INNER = 8;
    public const int FULL_CACHE = 256;
    public function __construct(Iterator $iterator, int $flags = CachingIterator::CALL_TOSTRING) {}
    public function rewind(): void {}
    public function valid(): bool {}
    public function next(): void {}
    public function hasNext(): bool {}
    public function __toString(): string {}
    public function getFlags(): int {}
    public function setFlags(int $flags): void {}
    public function offsetGet($key): mixed {}
    public function offsetSet($key, mixed $value): void {}
    public function offsetUnset($key): void {}
    public function offsetExists($key): bool {}
    public function getCache(): array {}
    public function count(): int {}
}
