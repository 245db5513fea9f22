<?php
namespace Dom; interface ChildNode {
    #[real_return] public function remove(): void;
    #[real_return] public function before(#[unchecked] \Dom\Node|string ...$nodes): void;
    #[real_return] public function after(#[unchecked] \Dom\Node|string ...$nodes): void;
    #[real_return] public function replaceWith(#[unchecked] \Dom\Node|string ...$nodes): void;
}
