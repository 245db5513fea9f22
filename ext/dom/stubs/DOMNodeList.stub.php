<?php
class DOMNodeList implements \IteratorAggregate, \Countable {
    public int $length { get {} }
    public function count(): int {}
    #[real_return] public function getIterator(): \Iterator {}
    public function item(int $index) {}
}
