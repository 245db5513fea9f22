<?php
class NoRewindIterator extends IteratorIterator {
    public function __construct(Iterator $iterator) {}
    public function rewind(): void {}
    public function valid(): bool {}
    public function key(): mixed {}
    public function current(): mixed {}
    public function next(): void {}
}
