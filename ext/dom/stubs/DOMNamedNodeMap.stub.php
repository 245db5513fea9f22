<?php
class DOMNamedNodeMap implements \IteratorAggregate, \Countable {
    public int $length { get {} }
    public function getNamedItem(string $qualifiedName): ?\DOMNode {}
    public function getNamedItemNS(?string $namespace, string $localName): ?\DOMNode {}
    public function item(int $index): ?\DOMNode {}
    public function count(): int {}
    #[real_return] public function getIterator(): \Iterator {}
}
