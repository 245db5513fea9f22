<?php
class DOMNode {
    public const int DOCUMENT_POSITION_DISCONNECTED = 1;
    public const int DOCUMENT_POSITION_PRECEDING = 2;
    public const int DOCUMENT_POSITION_FOLLOWING = 4;
    public const int DOCUMENT_POSITION_CONTAINS = 8;
    public const int DOCUMENT_POSITION_CONTAINED_BY = 16;
    public const int DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC = 32;
    public string $nodeName { get {} }
    public ?string $nodeValue { get {} set {} }
    public int $nodeType { get {} }
    public ?\DOMNode $parentNode { get {} }
    public ?\DOMElement $parentElement { get {} }
    public \DOMNodeList $childNodes { get {} }
    public ?\DOMNode $firstChild { get {} }
    public ?\DOMNode $lastChild { get {} }
    public ?\DOMNode $previousSibling { get {} }
    public ?\DOMNode $nextSibling { get {} }
    public ?\DOMNamedNodeMap $attributes { get {} }
    public bool $isConnected { get {} }
    public ?\DOMDocument $ownerDocument { get {} }
    public ?string $namespaceURI { get {} }
    public string $prefix { get {} set {} }
    public ?string $localName { get {} }
    public ?string $baseURI { get {} }
    public string $textContent { get {} set {} }
    public function appendChild(\DOMNode $node) {}
    public function C14N(bool $exclusive = false, bool $withComments = false, ?array $xpath = null, ?array $nsPrefixes = null): string|false {}
    public function C14NFile(string $uri, bool $exclusive = false, bool $withComments = false, ?array $xpath = null, ?array $nsPrefixes = null): int|false {}
    public function cloneNode(bool $deep = false) {}
    public function getLineNo(): int {}
    public function getNodePath(): ?string {}
    public function hasAttributes(): bool {}
    public function hasChildNodes(): bool {}
    public function insertBefore(\DOMNode $node, ?\DOMNode $child = null) {}
    public function isDefaultNamespace(string $namespace): bool {}
    public function isSameNode(\DOMNode $otherNode): bool {}
    #[real_return] public function isEqualNode(?\DOMNode $otherNode): bool {}
    public function isSupported(string $feature, string $version): bool {}
    public function lookupNamespaceURI(?string $prefix): ?string {}
    public function lookupPrefix(string $namespace): ?string {}
    public function normalize(): void {}
    public function removeChild(\DOMNode $child) {}
    public function replaceChild(\DOMNode $node, \DOMNode $child) {}
    #[real_return] public function contains(#[unchecked] \DOMNode|\DOMNameSpaceNode|null $other): bool {}
    #[real_return] public function getRootNode(#[unchecked] ?array $options = null): \DOMNode {}
    #[real_return] public function compareDocumentPosition(\DOMNode $other): int {}
    #[real_return] public function __sleep(): array {}
    #[real_return] public function __wakeup(): void {}
}
