<?php
class SplObjectStorage implements Countable, SeekableIterator, Serializable, ArrayAccess {
    public function attach(object $object, mixed $info = null): void {}
    public function detach(object $object): void {}
    public function contains(object $object): bool {}
    public function addAll(SplObjectStorage $storage): int {}
    public function removeAll(SplObjectStorage $storage): int {}
    public function removeAllExcept(SplObjectStorage $storage): int {}
    public function getInfo(): mixed {}
    public function setInfo(mixed $info): void {}
    public function count(int $mode = COUNT_NORMAL): int {}
    public function rewind(): void {}
    public function valid(): bool {}
    public function key(): int {}
    public function current(): object {}
    public function next(): void {}
    #[real_return] public function seek(int $offset): void {}
    public function unserialize(string $data): void {}
    public function serialize(): string {}
    public function offsetExists($object): bool {}
    public function offsetGet($object): mixed {}
    public function offsetSet($object, mixed $info = null): void {}
    public function offsetUnset($object): void {}
    public function getHash(object $object): string {}
    public function __serialize(): array {}
    public function __unserialize(array $data): void {}
    public function __debugInfo(): array {}
}
