<?php
class DOMElement extends \DOMNode implements \DOMParentNode, \DOMChildNode {
    public string $tagName { get {} }
    public string $className { get {} set {} }
    public string $id { get {} set {} }
    public mixed $schemaTypeInfo { get {} }
    public ?\DOMElement $firstElementChild { get {} }
    public ?\DOMElement $lastElementChild { get {} }
    public int $childElementCount { get {} }
    public ?\DOMElement $previousElementSibling { get {} }
    public ?\DOMElement $nextElementSibling { get {} }
    public function __construct(string $qualifiedName, ?string $value = null, string $namespace = "") {}
    public function getAttribute(string $qualifiedName): string {}
    #[real_return] public function getAttributeNames(): array {}
    public function getAttributeNS(?string $namespace, string $localName): string {}
    public function getAttributeNode(string $qualifiedName) {}
    public function getAttributeNodeNS(?string $namespace, string $localName) {}
    public function getElementsByTagName(string $qualifiedName): \DOMNodeList {}
    public function getElementsByTagNameNS(?string $namespace, string $localName): \DOMNodeList {}
    public function hasAttribute(string $qualifiedName): bool {}
    public function hasAttributeNS(?string $namespace, string $localName): bool {}
    public function removeAttribute(string $qualifiedName): bool {}
    public function removeAttributeNS(?string $namespace, string $localName): void {}
    public function removeAttributeNode(\DOMAttr $attr) {}
    public function setAttribute(string $qualifiedName, string $value) {}
    public function setAttributeNS(?string $namespace, string $qualifiedName, string $value): void {}
    public function setAttributeNode(\DOMAttr $attr) {}
    public function setAttributeNodeNS(\DOMAttr $attr) {}
    public function setIdAttribute(string $qualifiedName, bool $isId): void {}
    public function setIdAttributeNS(string $namespace, string $qualifiedName, bool $isId): void {}
    public function setIdAttributeNode(\DOMAttr $attr, bool $isId): void {}
    #[real_return] public function toggleAttribute(string $qualifiedName, ?bool $force = null): bool {}
    #[real_return] public function remove(): void {}
    #[real_return] public function before(...$nodes): void {}
    #[real_return] public function after(...$nodes): void {}
    #[real_return] public function replaceWith(...$nodes): void {}
    #[real_return] public function append(...$nodes): void {}
    #[real_return] public function prepend(...$nodes): void {}
    #[real_return] public function replaceChildren(...$nodes): void {}
    #[real_return] public function insertAdjacentElement(string $where, \DOMElement $element): ?\DOMElement {}
    #[real_return] public function insertAdjacentText(string $where, string $data): void {}
}
