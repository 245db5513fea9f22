<?php
class ParentIterator extends RecursiveFilterIterator {
    public function __construct(RecursiveIterator $iterator) {}
    public function accept(): bool {}
}
