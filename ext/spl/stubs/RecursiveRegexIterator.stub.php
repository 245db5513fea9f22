<?php
class RecursiveRegexIterator extends RegexIterator implements RecursiveIterator {
    public function __construct(
        RecursiveIterator $iterator,
        string $pattern,
        int $mode = RecursiveRegexIterator::MATCH,
        int $flags = 0,
        int $pregFlags = 0
    ) {}
    public function accept(): bool {}
    public function hasChildren(): bool {}
    public function getChildren(): RecursiveRegexIterator {}
}
