<?php
class GlobIterator extends FilesystemIterator implements Countable {
    public function __construct(
        string $pattern,
        int $flags = FilesystemIterator::KEY_AS_PATHNAME | FilesystemIterator::CURRENT_AS_FILEINFO
    ) {}
    public function count(): int {}
}
