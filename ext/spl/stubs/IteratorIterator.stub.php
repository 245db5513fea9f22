<?php
class IteratorIterator implements OuterIterator {
    public function __construct(Traversable $iterator, ?string $class = null) {}
    public function getInnerIterator(): ?Iterator {}
    public function rewind(): void {}
    public function valid(): bool {}
    public function key(): mixed {}
    public function current(): mixed {}
    public function next(): void {}
}
