<?php
class SplDoublyLinkedList implements Iterator, Countable, ArrayAccess, Serializable {
    public const int IT_MODE_LIFO = 2;
    public const int IT_MODE_FIFO = 0;
    public const int IT_MODE_DELETE = 1;
    public const int IT_MODE_KEEP = 0;
    public function add(int $index, mixed $value): void {}
    public function pop(): mixed {}
    public function shift(): mixed {}
    public function push(mixed $value): void {}
    public function unshift(mixed $value): void {}
    public function top(): mixed {}
    public function bottom(): mixed {}
    public function __debugInfo(): array {}
    public function count(): int {}
    public function isEmpty(): bool {}
    public function setIteratorMode(int $mode): int {}
    public function getIteratorMode(): int {}
    public function offsetExists($index): bool {}
    public function offsetGet($index): mixed {}
    public function offsetSet($index, mixed $value): void {}
    public function offsetUnset($index): void {}
    public function rewind(): void {}
    public function current(): mixed {}
    public function key(): int {}
    public function prev(): void {}
    public function next(): void {}
    public function valid(): bool {}
    public function unserialize(string $data): void {}
    public function serialize(): string {}
    public function __serialize(): array {}
    public function __unserialize(array $data): void {}
}
