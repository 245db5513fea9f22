<?php
class RecursiveTreeIterator extends RecursiveIteratorIterator {
    public const int BYPASS_CURRENT = 4;
    public const int BYPASS_KEY = 8;
    public const int PREFIX_LEFT = 0;
    public const int PREFIX_MID_HAS_NEXT = 1;
    public const int PREFIX_MID_LAST = 2;
    public const int PREFIX_END_HAS_NEXT = 3;
    public const int PREFIX_END_LAST = 4;
    public const int PREFIX_RIGHT = 5;
    public function __construct(
        $iterator,
        int $flags = RecursiveTreeIterator::BYPASS_KEY,
        int $cachingIteratorFlags = CachingIterator::CATCH_GET_CHILD,
        int $mode = RecursiveTreeIterator::SELF_FIRST
    ) {}
    public function key(): mixed {}
    public function current(): mixed {}
    public function getPrefix(): string {}
    public function setPostfix(string $postfix): void {}
    public function setPrefixPart(int $part, string $value): void {}
    public function getEntry(): string {}
    public function getPostfix(): string {}
}
