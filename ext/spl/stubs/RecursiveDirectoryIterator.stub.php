<?php
class RecursiveDirectoryIterator extends FilesystemIterator implements RecursiveIterator {
    public function __construct(
        string $directory,
        int $flags = FilesystemIterator::KEY_AS_PATHNAME | FilesystemIterator::CURRENT_AS_FILEINFO
    ) {}
    public function hasChildren(bool $allowLinks = false): bool {}
    public function getChildren(): RecursiveDirectoryIterator {}
    public function getSubPath(): string {}
    public function getSubPathname(): string {}
}
