<?php
class SplFixedArray implements IteratorAggregate, ArrayAccess, Countable, JsonSerializable {
    public function __construct(int $size = 0) {}
    #[\Deprecated(since: '8.4', message: 'this method is obsolete, as serialization hooks are provided by __unserialize() and __serialize()')]
    public function __wakeup(): void {}
    #[real_return] public function __serialize(): array {}
    #[real_return] public function __unserialize(array $data): void {}
    public function count(): int {}
    public function toArray(): array {}
    public static function fromArray(array $array, bool $preserveKeys = true): SplFixedArray {}
    public function getSize(): int {}
    public function setSize(int $size): true {}
    public function offsetExists($index): bool {}
    public function offsetGet($index): mixed {}
    public function offsetSet($index, mixed $value): void {}
    public function offsetUnset($index): void {}
    #[real_return] public function getIterator(): Iterator {}
    #[real_return] public function jsonSerialize(): array {}
}
