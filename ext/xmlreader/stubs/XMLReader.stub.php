<?php
class XMLReader {
    public const int NONE = 0;
    public const int ELEMENT = 1;
    public const int ATTRIBUTE = 2;
    public const int TEXT = 3;
    public const int CDATA = 4;
    public const int ENTITY_REF = 5;
    public const int ENTITY = 6;
    public const int PI = 7;
    public const int COMMENT = 8;
    public const int DOC = 9;
    public const int DOC_TYPE = 10;
    public const int DOC_FRAGMENT = 11;
    public const int NOTATION = 12;
    public const int WHITESPACE = 13;
    public const int SIGNIFICANT_WHITESPACE = 14;
    public const int END_ELEMENT = 15;
    public const int END_ENTITY = 16;
    public const int XML_DECLARATION = 17;
    public const int LOADDTD = 1;
    public const int DEFAULTATTRS = 2;
    public const int VALIDATE = 3;
    public const int SUBST_ENTITIES = 4;
    public int $attributeCount { get {} }
    public string $baseURI { get {} }
    public int $depth { get {} }
    public bool $hasAttributes { get {} }
    public bool $hasValue { get {} }
    public bool $isDefault { get {} }
    public bool $isEmptyElement { get {} }
    public string $localName { get {} }
    public string $name { get {} }
    public string $namespaceURI { get {} }
    public int $nodeType { get {} }
    public string $prefix { get {} }
    public string $value { get {} }
    public string $xmlLang { get {} }
    public function close(): true {}
    public function getAttribute(string $name): ?string {}
    public function getAttributeNo(int $index): ?string {}
    public function getAttributeNs(string $name, string $namespace): ?string {}
    public function getParserProperty(int $property): bool {}
    public function isValid(): bool {}
    public function lookupNamespace(string $prefix): ?string {}
    public function moveToAttribute(string $name): bool {}
    public function moveToAttributeNo(int $index): bool {}
    public function moveToAttributeNs(string $name, string $namespace): bool {}
    public function moveToElement(): bool {}
    public function moveToFirstAttribute(): bool {}
    public function moveToNextAttribute(): bool {}
    public function read(): bool {}
    public function next(?string $name = null): bool {}
    public static function open(string $uri, ?string $encoding = null, int $flags = 0) {}
    #[real_return] public static function fromUri(string $uri, ?string $encoding = null, int $flags = 0): static {}
    #[real_return] public static function fromStream($stream, ?string $encoding = null, int $flags = 0, ?string $documentUri = null): static {}
    public function readInnerXml(): string {}
    public function readOuterXml(): string {}
    public function readString(): string {}
    public function setSchema(?string $filename): bool {}
    public function setParserProperty(int $property, bool $value): bool {}
    public function setRelaxNGSchema(?string $filename): bool {}
    public function setRelaxNGSchemaSource(?string $source): bool {}
    public static function XML(string $source, ?string $encoding = null, int $flags = 0) {}
    #[real_return] public static function fromString(string $source, ?string $encoding = null, int $flags = 0): static {}
    public function expand(?\DOMNode $baseNode = null): \DOMNode|false {}
}
