<?php
class RegexIterator extends FilterIterator {
    public const int USE_KEY = 1;
    public const int INVERT_MATCH = 2;
    public const int MATCH = 0;
    public const int GET_MATCH = 1;
    public const int ALL_MATCHES = 2;
    public const int SPLIT = 3;
    public const int REPLACE = 4;
    public ?string $replacement = null;
    public function __construct(
        Iterator $iterator,
        string $pattern,
        int $mode = RegexIterator::MATCH,
        int $flags = 0,
        int $pregFlags = 0
    ) {}
    public function accept(): bool {}
    public function getMode(): int {}
    public function setMode(int $mode): void {}
    public function getFlags(): int {}
    public function setFlags(int $flags): void {}
    public function getRegex(): string {}
    public function getPregFlags(): int {}
    public function setPregFlags(int $pregFlags): void {}
}
