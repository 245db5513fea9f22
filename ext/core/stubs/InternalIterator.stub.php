<?php
final class InternalIterator implements Iterator {
    private function __construct() {}
    #[real_return] public function current(): mixed {}
    #[real_return] public function key(): mixed {}
    #[real_return] public function next(): void {}
    #[real_return] public function valid(): bool {}
    #[real_return] public function rewind(): void {}
}
