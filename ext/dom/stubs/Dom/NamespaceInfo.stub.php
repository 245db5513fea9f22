<?php
namespace Dom; final readonly class NamespaceInfo {
    public ?string $prefix;
    public ?string $namespaceURI;
    public \Dom\Element $element;
    private function __construct() {}
}
