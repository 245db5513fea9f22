<?php
namespace Dom; class Element extends \Dom\Node implements \Dom\ParentNode, \Dom\ChildNode {
    public ?string $namespaceURI { get {} }
    public ?string $prefix { get {} }
    public string $localName { get {} }
    public string $tagName { get {} }
    public string $id { get {} set {} }
    public string $className { get {} set {} }
    public \Dom\TokenList $classList { get {} }
    public \Dom\NamedNodeMap $attributes { get {} }
    public ?\Dom\Element $firstElementChild { get {} }
    public ?\Dom\Element $lastElementChild { get {} }
    public int $childElementCount { get {} }
    public ?\Dom\Element $previousElementSibling { get {} }
    public ?\Dom\Element $nextElementSibling { get {} }
    public string $innerHTML { get {} set {} }
    public string $substitutedNodeValue { get {} set {} }
    #[real_return] public function hasAttributes(): bool {}
    #[real_return] public function getAttributeNames(): array {}
    #[real_return] public function getAttribute(string $qualifiedName): ?string {}
    #[real_return] public function getAttributeNS(?string $namespace, string $localName): ?string {}
    #[real_return] public function setAttribute(string $qualifiedName, string $value): void {}
    #[real_return] public function setAttributeNS(?string $namespace, string $qualifiedName, string $value): void {}
    #[real_return] public function removeAttribute(string $qualifiedName): void {}
    #[real_return] public function removeAttributeNS(?string $namespace, string $localName): void {}
    #[real_return] public function toggleAttribute(string $qualifiedName, ?bool $force = null): bool {}
    #[real_return] public function hasAttribute(string $qualifiedName): bool {}
    #[real_return] public function hasAttributeNS(?string $namespace, string $localName): bool {}
    #[real_return] public function getAttributeNode(string $qualifiedName): ?\Dom\Attr {}
    #[real_return] public function getAttributeNodeNS(?string $namespace, string $localName): ?\Dom\Attr {}
    #[real_return] public function setAttributeNode(\Dom\Attr $attr): ?\Dom\Attr {}
    #[real_return] public function setAttributeNodeNS(\Dom\Attr $attr): ?\Dom\Attr {}
    #[real_return] public function removeAttributeNode(\Dom\Attr $attr): \Dom\Attr {}
    #[real_return] public function getElementsByTagName(string $qualifiedName): \Dom\HTMLCollection {}
    #[real_return] public function getElementsByTagNameNS(?string $namespace, string $localName): \Dom\HTMLCollection {}
    #[real_return] public function insertAdjacentElement(\Dom\AdjacentPosition $where, \Dom\Element $element): ?\Dom\Element {}
    #[real_return] public function insertAdjacentText(\Dom\AdjacentPosition $where, string $data): void {}
    #[real_return] public function setIdAttribute(string $qualifiedName, bool $isId): void {}
    #[real_return] public function setIdAttributeNS(?string $namespace, string $qualifiedName, bool $isId): void {}
    #[real_return] public function setIdAttributeNode(\Dom\Attr $attr, bool $isId): void {}
    #[real_return] public function remove(): void {}
    #[real_return] public function before(#[unchecked] \Dom\Node|string ...$nodes): void {}
    #[real_return] public function after(#[unchecked] \Dom\Node|string ...$nodes): void {}
    #[real_return] public function replaceWith(#[unchecked] \Dom\Node|string ...$nodes): void {}
    #[real_return] public function append(#[unchecked] \Dom\Node|string ...$nodes): void {}
    #[real_return] public function prepend(#[unchecked] \Dom\Node|string ...$nodes): void {}
    #[real_return] public function replaceChildren(#[unchecked] \Dom\Node|string ...$nodes): void {}
    #[real_return] public function querySelector(string $selectors): ?\Dom\Element {}
    #[real_return] public function querySelectorAll(string $selectors): \Dom\NodeList {}
    #[real_return] public function closest(string $selectors): ?\Dom\Element {}
    #[real_return] public function matches(string $selectors): bool {}
    #[real_return] public function getInScopeNamespaces(): array {}
    #[real_return] public function getDescendantNamespaces(): array {}
    #[real_return] public function rename(?string $namespaceURI, string $qualifiedName): void {}
}
