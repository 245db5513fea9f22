<?php
namespace Dom; class HTMLCollection implements \IteratorAggregate, \Countable {
    public int $length { get {} }
    #[real_return] public function item(int $index): ?\Dom\Element {}
    #[real_return] public function namedItem(string $key): ?\Dom\Element {}
    #[real_return] public function count(): int {}
    #[real_return] public function getIterator(): \Iterator {}
}
