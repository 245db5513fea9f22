<?php
class RecursiveArrayIterator extends ArrayIterator implements RecursiveIterator {
    public const int CHILD_ARRAYS_ONLY = 4;
    public function hasChildren(): bool {}
    public function getChildren(): ?RecursiveArrayIterator {}
}
