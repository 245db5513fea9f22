<?php
namespace Dom; class DocumentFragment extends \Dom\Node implements \Dom\ParentNode {
    public ?\Dom\Element $firstElementChild { get {} }
    public ?\Dom\Element $lastElementChild { get {} }
    public int $childElementCount { get {} }
    #[real_return] public function appendXml(string $data): bool {}
    #[real_return] public function append(#[unchecked] \Dom\Node|string ...$nodes): void {}
    #[real_return] public function prepend(#[unchecked] \Dom\Node|string ...$nodes): void {}
    #[real_return] public function replaceChildren(#[unchecked] \Dom\Node|string ...$nodes): void {}
    #[real_return] public function querySelector(string $selectors): ?\Dom\Element {}
    #[real_return] public function querySelectorAll(string $selectors): \Dom\NodeList {}
}
