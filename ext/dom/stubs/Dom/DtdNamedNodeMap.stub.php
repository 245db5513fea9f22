<?php
namespace Dom; class DtdNamedNodeMap implements \IteratorAggregate, \Countable {
    public int $length { get {} }
    #[real_return] public function item(int $index): \Dom\Entity|\Dom\Notation|null {}
    #[real_return] public function getNamedItem(string $qualifiedName): \Dom\Entity|\Dom\Notation|null {}
    #[real_return] public function getNamedItemNS(?string $namespace, string $localName): \Dom\Entity|\Dom\Notation|null {}
    #[real_return] public function count(): int {}
    #[real_return] public function getIterator(): \Iterator {}
}
