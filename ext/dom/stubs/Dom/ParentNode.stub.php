<?php
namespace Dom; interface ParentNode {
    #[real_return] public function append(#[unchecked] \Dom\Node|string ...$nodes): void;
    #[real_return] public function prepend(#[unchecked] \Dom\Node|string ...$nodes): void;
    #[real_return] public function replaceChildren(#[unchecked] \Dom\Node|string ...$nodes): void;
    #[real_return] public function querySelector(string $selectors): ?\Dom\Element;
    #[real_return] public function querySelectorAll(string $selectors): \Dom\NodeList;
}
