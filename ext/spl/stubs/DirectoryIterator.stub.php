<?php
class DirectoryIterator extends SplFileInfo implements SeekableIterator {
    public function __construct(string $directory) {}
    public function getFilename(): string {}
    public function getExtension(): string {}
    public function getBasename(string $suffix = ""): string {}
    public function isDot(): bool {}
    public function rewind(): void {}
    public function valid(): bool {}
    public function key(): mixed {}
    public function current(): mixed {}
    public function next(): void {}
    public function seek(int $offset): void {}
    public function __toString(): string {}
}
