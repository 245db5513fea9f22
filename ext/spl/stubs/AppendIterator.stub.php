<?php
class AppendIterator extends IteratorIterator {
    public function __construct() {}
    public function append(Iterator $iterator): void {}
    public function rewind(): void {}
    public function valid(): bool {}
    public function current(): mixed {}
    public function next(): void {}
    public function getIteratorIndex(): ?int {}
    public function getArrayIterator(): ArrayIterator {}
}
