<?php
namespace Dom; class NodeList implements \IteratorAggregate, \Countable {
    public int $length { get {} }
    #[real_return] public function count(): int {}
    #[real_return] public function getIterator(): \Iterator {}
    #[real_return] public function item(int $index): ?\Dom\Node {}
}
