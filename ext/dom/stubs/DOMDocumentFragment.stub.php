<?php
class DOMDocumentFragment extends \DOMNode implements \DOMParentNode {
    public ?\DOMElement $firstElementChild { get {} }
    public ?\DOMElement $lastElementChild { get {} }
    public int $childElementCount { get {} }
    public function __construct() {}
    public function appendXML(string $data): bool {}
    #[real_return] public function append(...$nodes): void {}
    #[real_return] public function prepend(...$nodes): void {}
    #[real_return] public function replaceChildren(...$nodes): void {}
}
