<?php
class EmptyIterator implements Iterator {
    public function current(): never {}
    public function next(): void {}
    public function key(): never {}
    public function valid(): false {}
    public function rewind(): void {}
}
