<?php
interface DOMParentNode {
    #[real_return] public function append(...$nodes): void;
    #[real_return] public function prepend(...$nodes): void;
    #[real_return] public function replaceChildren(...$nodes): void;
}
