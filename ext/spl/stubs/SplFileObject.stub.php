<?php
class SplFileObject extends SplFileInfo implements RecursiveIterator, SeekableIterator {
    public const int DROP_NEW_LINE = 1;
    public const int READ_AHEAD = 2;
    public const int SKIP_EMPTY = 4;
    public const int READ_CSV = 8;
    public function __construct(
        string $filename,
        string $mode = "r",
        bool $useIncludePath = false,
        $context = null
    ) {}
    public function rewind(): void {}
    public function eof(): bool {}
    public function valid(): bool {}
    public function fgets(): string {}
    public function fread(int $length): string|false {}
    public function fgetcsv(
        string $separator = ",",
        string $enclosure = "\"",
        string $escape = "\\"
    ): array|false {}
    public function fputcsv(
        array $fields,
        string $separator = ",",
        string $enclosure = "\"",
        string $escape = "\\",
        string $eol = "\n"
    ): int|false {}
    public function setCsvControl(
        string $separator = ",",
        string $enclosure = "\"",
        string $escape = "\\"
    ): void {}
    public function getCsvControl(): array {}
    public function flock(int $operation, &$wouldBlock = null): bool {}
    public function fflush(): bool {}
    public function ftell(): int|false {}
    public function fseek(int $offset, int $whence = SEEK_SET): int {}
    public function fgetc(): string|false {}
    public function fpassthru(): int {}
    public function fscanf(string $format, mixed &...$vars): array|int|null {}
    public function fwrite(string $data, int $length = 0): int|false {}
    public function fstat(): array {}
    public function ftruncate(int $size): bool {}
    public function current(): string|array|false {}
    public function key(): int {}
    public function next(): void {}
    public function setFlags(int $flags): void {}
    public function getFlags(): int {}
    public function setMaxLineLen(int $maxLength): void {}
    public function getMaxLineLen(): int {}
    public function hasChildren(): false {}
    public function getChildren(): null {}
    public function seek(int $line): void {}
    public function getCurrentLine(): string {}
    public function __toString(): string {}
}
