<?php
namespace Dom; class Node {
    public const int DOCUMENT_POSITION_DISCONNECTED = 1;
    public const int DOCUMENT_POSITION_PRECEDING = 2;
    public const int DOCUMENT_POSITION_FOLLOWING = 4;
    public const int DOCUMENT_POSITION_CONTAINS = 8;
    public const int DOCUMENT_POSITION_CONTAINED_BY = 16;
    public const int DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC = 32;
    public int $nodeType { get {} }
    public string $nodeName { get {} }
    public string $baseURI { get {} }
    public bool $isConnected { get {} }
    public ?\Dom\Document $ownerDocument { get {} }
    public ?\Dom\Node $parentNode { get {} }
    public ?\Dom\Element $parentElement { get {} }
    public \Dom\NodeList $childNodes { get {} }
    public ?\Dom\Node $firstChild { get {} }
    public ?\Dom\Node $lastChild { get {} }
    public ?\Dom\Node $previousSibling { get {} }
    public ?\Dom\Node $nextSibling { get {} }
    public ?string $nodeValue { get {} set {} }
    public ?string $textContent { get {} set {} }
    final private function __construct() {}
    #[real_return] public function getRootNode(#[unchecked] array $options = []): \Dom\Node {}
    #[real_return] public function hasChildNodes(): bool {}
    #[real_return] public function normalize(): void {}
    #[real_return] public function cloneNode(bool $deep = false): \Dom\Node {}
    #[real_return] public function isEqualNode(?\Dom\Node $otherNode): bool {}
    #[real_return] public function isSameNode(?\Dom\Node $otherNode): bool {}
    #[real_return] public function compareDocumentPosition(\Dom\Node $other): int {}
    #[real_return] public function contains(?\Dom\Node $other): bool {}
    #[real_return] public function lookupPrefix(?string $namespace): ?string {}
    #[real_return] public function lookupNamespaceURI(?string $prefix): ?string {}
    #[real_return] public function isDefaultNamespace(?string $namespace): bool {}
    #[real_return] public function insertBefore(\Dom\Node $node, ?\Dom\Node $child): \Dom\Node {}
    #[real_return] public function appendChild(\Dom\Node $node): \Dom\Node {}
    #[real_return] public function replaceChild(\Dom\Node $node, \Dom\Node $child): \Dom\Node {}
    #[real_return] public function removeChild(\Dom\Node $child): \Dom\Node {}
    #[real_return] public function getLineNo(): int {}
    #[real_return] public function getNodePath(): string {}
    #[real_return] public function C14N(bool $exclusive = false, bool $withComments = false, ?array $xpath = null, ?array $nsPrefixes = null): string|false {}
    #[real_return] public function C14NFile(string $uri, bool $exclusive = false, bool $withComments = false, ?array $xpath = null, ?array $nsPrefixes = null): int|false {}
    #[real_return] public function __sleep(): array {}
    #[real_return] public function __wakeup(): void {}
}
