<?php
namespace Dom; class Attr extends \Dom\Node {
    public ?string $namespaceURI { get {} }
    public ?string $prefix { get {} }
    public string $localName { get {} }
    public string $name { get {} }
    public string $value { get {} set {} }
    public ?\Dom\Element $ownerElement { get {} }
    public bool $specified { get {} }
    #[real_return] public function isId(): bool {}
    #[real_return] public function rename(?string $namespaceURI, string $qualifiedName): void {}
}
