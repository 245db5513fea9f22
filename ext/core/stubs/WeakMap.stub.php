<?php
final class WeakMap implements ArrayAccess, Countable, IteratorAggregate {
    #[real_return] public function offsetGet($object): mixed {}
    #[real_return] public function offsetSet($object, mixed $value): void {}
    #[real_return] public function offsetExists($object): bool {}
    #[real_return] public function offsetUnset($object): void {}
    #[real_return] public function count(): int {}
    #[real_return] public function getIterator(): Iterator {}
}
