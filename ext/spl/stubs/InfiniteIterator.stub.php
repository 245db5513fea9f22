<?php
class InfiniteIterator extends IteratorIterator {
    public function __construct(Iterator $iterator) {}
    public function next(): void {}
}
