<?php
namespace Dom; class NamedNodeMap implements \IteratorAggregate, \Countable {
    public int $length { get {} }
    #[real_return] public function item(int $index): ?\Dom\Attr {}
    #[real_return] public function getNamedItem(string $qualifiedName): ?\Dom\Attr {}
    #[real_return] public function getNamedItemNS(?string $namespace, string $localName): ?\Dom\Attr {}
    #[real_return] public function count(): int {}
    #[real_return] public function getIterator(): \Iterator {}
}
