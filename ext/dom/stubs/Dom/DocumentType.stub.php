<?php
namespace Dom; class DocumentType extends \Dom\Node implements \Dom\ChildNode {
    public string $name { get {} }
    public \Dom\DtdNamedNodeMap $entities { get {} }
    public \Dom\DtdNamedNodeMap $notations { get {} }
    public string $publicId { get {} }
    public string $systemId { get {} }
    public ?string $internalSubset { get {} }
    #[real_return] public function remove(): void {}
    #[real_return] public function before(#[unchecked] \Dom\Node|string ...$nodes): void {}
    #[real_return] public function after(#[unchecked] \Dom\Node|string ...$nodes): void {}
    #[real_return] public function replaceWith(#[unchecked] \Dom\Node|string ...$nodes): void {}
}
