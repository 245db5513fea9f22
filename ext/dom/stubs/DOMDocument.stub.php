<?php
class DOMDocument extends \DOMNode implements \DOMParentNode {
    public ?\DOMDocumentType $doctype { get {} }
    public \DOMImplementation $implementation { get {} }
    public ?\DOMElement $documentElement { get {} }
    public ?string $actualEncoding { get {} }
    public ?string $encoding { get {} set {} }
    public ?string $xmlEncoding { get {} }
    public bool $standalone { get {} set {} }
    public bool $xmlStandalone { get {} set {} }
    public ?string $version { get {} set {} }
    public ?string $xmlVersion { get {} set {} }
    public bool $strictErrorChecking { get {} set {} }
    public ?string $documentURI { get {} set {} }
    public mixed $config { get {} }
    public bool $formatOutput { get {} set {} }
    public bool $validateOnParse { get {} set {} }
    public bool $resolveExternals { get {} set {} }
    public bool $preserveWhiteSpace { get {} set {} }
    public bool $recover { get {} set {} }
    public bool $substituteEntities { get {} set {} }
    public ?\DOMElement $firstElementChild { get {} }
    public ?\DOMElement $lastElementChild { get {} }
    public int $childElementCount { get {} }
    public function __construct(string $version = "1.0", string $encoding = "") {}
    public function createAttribute(string $localName) {}
    public function createAttributeNS(?string $namespace, string $qualifiedName) {}
    public function createCDATASection(string $data) {}
    public function createComment(string $data): \DOMComment {}
    public function createDocumentFragment(): \DOMDocumentFragment {}
    public function createElement(string $localName, string $value = "") {}
    public function createElementNS(?string $namespace, string $qualifiedName, string $value = "") {}
    public function createEntityReference(string $name) {}
    public function createProcessingInstruction(string $target, string $data = "") {}
    public function createTextNode(string $data): \DOMText {}
    public function getElementById(string $elementId): ?\DOMElement {}
    public function getElementsByTagName(string $qualifiedName): \DOMNodeList {}
    public function getElementsByTagNameNS(?string $namespace, string $localName): \DOMNodeList {}
    public function importNode(\DOMNode $node, bool $deep = false) {}
    public function load(string $filename, int $options = 0): bool {}
    public function loadXML(string $source, int $options = 0): bool {}
    public function normalizeDocument(): void {}
    public function registerNodeClass(string $baseClass, ?string $extendedClass): true {}
    public function save(string $filename, int $options = 0): int|false {}
    public function loadHTML(string $source, int $options = 0): bool {}
    public function loadHTMLFile(string $filename, int $options = 0): bool {}
    public function saveHTML(?\DOMNode $node = null): string|false {}
    public function saveHTMLFile(string $filename): int|false {}
    public function saveXML(?\DOMNode $node = null, int $options = 0): string|false {}
    public function schemaValidate(string $filename, int $flags = 0): bool {}
    public function schemaValidateSource(string $source, int $flags = 0): bool {}
    public function relaxNGValidate(string $filename): bool {}
    public function relaxNGValidateSource(string $source): bool {}
    public function validate(): bool {}
    public function xinclude(int $options = 0): int|false {}
    public function adoptNode(\DOMNode $node): \DOMNode|false {}
    #[real_return] public function append(...$nodes): void {}
    #[real_return] public function prepend(...$nodes): void {}
    #[real_return] public function replaceChildren(...$nodes): void {}
}
