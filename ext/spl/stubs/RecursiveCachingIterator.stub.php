<?php
class RecursiveCachingIterator extends CachingIterator implements RecursiveIterator {
    public function __construct(Iterator $iterator, int $flags = RecursiveCachingIterator::CALL_TOSTRING) {}
    public function hasChildren(): bool {}
    public function getChildren(): ?RecursiveCachingIterator {}
}
