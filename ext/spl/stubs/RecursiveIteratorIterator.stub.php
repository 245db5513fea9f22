<?php
class RecursiveIteratorIterator implements OuterIterator {
    public const int LEAVES_ONLY = 0;
    public const int SELF_FIRST = 1;
    public const int CHILD_FIRST = 2;
    public const int CATCH_GET_CHILD = 16;
    public function __construct(
        #[unchecked] Traversable $iterator,
        int $mode = RecursiveIteratorIterator::LEAVES_ONLY,
        int $flags = 0
    ) {}
    public function rewind(): void {}
    public function valid(): bool {}
    public function key(): mixed {}
    public function current(): mixed {}
    public function next(): void {}
    public function getDepth(): int {}
    public function getSubIterator(?int $level = null): ?RecursiveIterator {}
    public function getInnerIterator(): RecursiveIterator {}
    public function beginIteration(): void {}
    public function endIteration(): void {}
    public function callHasChildren(): bool {}
    public function callGetChildren(): ?RecursiveIterator {}
    public function beginChildren(): void {}
    public function endChildren(): void {}
    public function nextElement(): void {}
    public function setMaxDepth(int $maxDepth = -1): void {}
    public function getMaxDepth(): int|false {}
}
