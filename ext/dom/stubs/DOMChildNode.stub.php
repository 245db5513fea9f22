<?php
interface DOMChildNode {
    #[real_return] public function remove(): void;
    #[real_return] public function before(...$nodes): void;
    #[real_return] public function after(...$nodes): void;
    #[real_return] public function replaceWith(...$nodes): void;
}
