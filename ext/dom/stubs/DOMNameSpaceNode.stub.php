<?php
class DOMNameSpaceNode {
    public string $nodeName { get {} }
    public ?string $nodeValue { get {} }
    public int $nodeType { get {} }
    public string $prefix { get {} }
    public ?string $localName { get {} }
    public ?string $namespaceURI { get {} }
    public bool $isConnected { get {} }
    public ?\DOMDocument $ownerDocument { get {} }
    public ?\DOMNode $parentNode { get {} }
    public ?\DOMElement $parentElement { get {} }
    #[real_return] public function __sleep(): array {}
    #[real_return] public function __wakeup(): void {}
}
