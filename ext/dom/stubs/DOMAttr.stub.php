<?php
class DOMAttr extends \DOMNode {
    public string $name { get {} }
    public bool $specified { get {} }
    public string $value { get {} set {} }
    public ?\DOMElement $ownerElement { get {} }
    public mixed $schemaTypeInfo { get {} }
    public function __construct(string $name, string $value = "") {}
    public function isId(): bool {}
}
