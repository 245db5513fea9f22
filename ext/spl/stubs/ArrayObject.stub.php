<?php
class ArrayObject implements IteratorAggregate, ArrayAccess, Serializable, Countable {
    public const int STD_PROP_LIST = 1;
    public const int ARRAY_AS_PROPS = 2;
    public function __construct(
        #[unchecked] array|object $array = [],
        int $flags = 0,
        #[written("ArrayIterator::class")] string $iteratorClass = ArrayIterator::class
    ) {}
    public function offsetExists(mixed $key): bool {}
    public function offsetGet(mixed $key): mixed {}
    public function offsetSet(mixed $key, mixed $value): void {}
    public function offsetUnset(mixed $key): void {}
    public function append(mixed $value): void {}
    public function getArrayCopy(): array {}
    public function count(): int {}
    public function getFlags(): int {}
    public function setFlags(int $flags): void {}
    public function asort(int $flags = SORT_REGULAR): true {}
    public function ksort(int $flags = SORT_REGULAR): true {}
    public function uasort(#[unchecked] callable $callback): true {}
    public function uksort(#[unchecked] callable $callback): true {}
    public function natsort(): true {}
    public function natcasesort(): true {}
    public function unserialize(string $data): void {}
    public function serialize(): string {}
    public function __serialize(): array {}
    public function __unserialize(array $data): void {}
    public function getIterator(): Iterator {}
    public function exchangeArray(#[unchecked] array|object $array): array {}
    public function setIteratorClass(string $iteratorClass): void {}
    public function getIteratorClass(): string {}
    public function __debugInfo(): array {}
}
