<?php
class SimpleXMLElement implements \Stringable, \Countable, \RecursiveIterator {
    public function xpath(string $expression): array|false|null {}
    public function registerXPathNamespace(string $prefix, string $namespace): bool {}
    public function asXML(?string $filename = null): string|bool {}
    public function saveXML(?string $filename = null): string|bool {}
    public function getNamespaces(bool $recursive = false): array {}
    public function getDocNamespaces(bool $recursive = false, bool $fromRoot = true): array|false {}
    public function children(?string $namespaceOrPrefix = null, bool $isPrefix = false): ?\SimpleXMLElement {}
    public function attributes(?string $namespaceOrPrefix = null, bool $isPrefix = false): ?\SimpleXMLElement {}
    public function __construct(string $data, int $options = 0, bool $dataIsURL = false, string $namespaceOrPrefix = "", bool $isPrefix = false) {}
    public function addChild(string $qualifiedName, ?string $value = null, ?string $namespace = null): ?\SimpleXMLElement {}
    public function addAttribute(string $qualifiedName, string $value, ?string $namespace = null): void {}
    public function getName(): string {}
    public function __toString(): string {}
    #[real_return] public function __debugInfo(): ?array {}
    public function count(): int {}
    public function rewind(): void {}
    public function valid(): bool {}
    public function current(): \SimpleXMLElement {}
    public function key(): string {}
    public function next(): void {}
    public function hasChildren(): bool {}
    public function getChildren(): ?\SimpleXMLElement {}
}
