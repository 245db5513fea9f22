<?php
class RecursiveCallbackFilterIterator extends CallbackFilterIterator implements RecursiveIterator {
    public function __construct(RecursiveIterator $iterator, callable $callback) {}
    public function hasChildren(): bool {}
    public function getChildren(): RecursiveCallbackFilterIterator {}
}
