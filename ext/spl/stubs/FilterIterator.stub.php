<?php
abstract class FilterIterator extends IteratorIterator {
    abstract public function accept(): bool;
    public function __construct(Iterator $iterator) {}
    public function rewind(): void {}
    public function next(): void {}
}
