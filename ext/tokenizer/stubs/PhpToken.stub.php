<?php
class PhpToken implements Stringable {
    public int $id;
    public string $text;
    public int $line;
    public int $pos;
    #[real_return] public static function tokenize(string $code, int $flags = 0): array {}
    final public function __construct(int $id, string $text, int $line = -1, int $pos = -1) {}
    #[real_return] public function is($kind): bool {}
    #[real_return] public function isIgnorable(): bool {}
    #[real_return] public function getTokenName(): ?string {}
    public function __toString(): string {}
}
