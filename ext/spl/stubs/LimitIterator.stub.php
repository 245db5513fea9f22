<?php
class LimitIterator extends IteratorIterator {
    public function __construct(Iterator $iterator, int $offset = 0, int $limit = -1) {}
    public function rewind(): void {}
    public function valid(): bool {}
    public function next(): void {}
    public function seek(int $offset): int {}
    public function getPosition(): int {}
}
