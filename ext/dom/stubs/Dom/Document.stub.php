<?php
namespace Dom; abstract class Document extends \Dom\Node implements \Dom\ParentNode {
    public \Dom\Implementation $implementation { get {} }
    public string $URL { get {} set {} }
    public string $documentURI { get {} set {} }
    public string $characterSet { get {} set {} }
    public string $charset { get {} set {} }
    public string $inputEncoding { get {} set {} }
    public ?\Dom\DocumentType $doctype { get {} }
    public ?\Dom\Element $documentElement { get {} }
    public ?\Dom\Element $firstElementChild { get {} }
    public ?\Dom\Element $lastElementChild { get {} }
    public int $childElementCount { get {} }
    public ?\Dom\HTMLElement $body { get {} set {} }
    public ?\Dom\HTMLElement $head { get {} }
    public string $title { get {} set {} }
    #[real_return] public function getElementsByTagName(string $qualifiedName): \Dom\HTMLCollection {}
    #[real_return] public function getElementsByTagNameNS(?string $namespace, string $localName): \Dom\HTMLCollection {}
    #[real_return] public function createElement(string $localName): \Dom\Element {}
    #[real_return] public function createElementNS(?string $namespace, string $qualifiedName): \Dom\Element {}
    #[real_return] public function createDocumentFragment(): \Dom\DocumentFragment {}
    #[real_return] public function createTextNode(string $data): \Dom\Text {}
    #[real_return] public function createCDATASection(string $data): \Dom\CDATASection {}
    #[real_return] public function createComment(string $data): \Dom\Comment {}
    #[real_return] public function createProcessingInstruction(string $target, string $data): \Dom\ProcessingInstruction {}
    #[real_return] public function importNode(#[not_null] ?\Dom\Node $node, bool $deep = false): \Dom\Node {}
    #[real_return] public function adoptNode(\Dom\Node $node): \Dom\Node {}
    #[real_return] public function createAttribute(string $localName): \Dom\Attr {}
    #[real_return] public function createAttributeNS(?string $namespace, string $qualifiedName): \Dom\Attr {}
    #[real_return] public function getElementById(string $elementId): ?\Dom\Element {}
    #[real_return] public function registerNodeClass(string $baseClass, ?string $extendedClass): void {}
    #[real_return] public function schemaValidate(string $filename, int $flags = 0): bool {}
    #[real_return] public function schemaValidateSource(string $source, int $flags = 0): bool {}
    #[real_return] public function relaxNgValidate(string $filename): bool {}
    #[real_return] public function relaxNgValidateSource(string $source): bool {}
    #[real_return] public function append(#[unchecked] \Dom\Node|string ...$nodes): void {}
    #[real_return] public function prepend(#[unchecked] \Dom\Node|string ...$nodes): void {}
    #[real_return] public function replaceChildren(#[unchecked] \Dom\Node|string ...$nodes): void {}
    #[real_return] public function importLegacyNode(\DOMNode $node, bool $deep = false): \Dom\Node {}
    #[real_return] public function querySelector(string $selectors): ?\Dom\Element {}
    #[real_return] public function querySelectorAll(string $selectors): \Dom\NodeList {}
}
