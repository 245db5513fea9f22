<?php
class CallbackFilterIterator extends FilterIterator {
    public function __construct(Iterator $iterator, callable $callback) {}
    public function accept(): bool {}
}
