<?php
abstract class RecursiveFilterIterator extends FilterIterator implements RecursiveIterator {
    public function __construct(RecursiveIterator $iterator) {}
    public function hasChildren(): bool {}
    public function getChildren(): ?RecursiveFilterIterator {}
}
