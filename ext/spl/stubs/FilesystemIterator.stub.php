<?php
class FilesystemIterator extends DirectoryIterator {
    public const int CURRENT_MODE_MASK = 240;
    public const int CURRENT_AS_PATHNAME = 32;
    public const int CURRENT_AS_FILEINFO = 0;
    public const int CURRENT_AS_SELF = 16;
    public const int KEY_MODE_MASK = 3840;
    public const int KEY_AS_PATHNAME = 0;
    public const int FOLLOW_SYMLINKS = 16384;
    public const int KEY_AS_FILENAME = 256;
    public const int NEW_CURRENT_AND_KEY = 256;
    public const int OTHER_MODE_MASK = 28672;
    public const int SKIP_DOTS = 4096;
    public const int UNIX_PATHS = 8192;
    public function __construct(
        string $directory,
        int $flags = FilesystemIterator::KEY_AS_PATHNAME | FilesystemIterator::CURRENT_AS_FILEINFO
            | FilesystemIterator::SKIP_DOTS
    ) {}
    public function rewind(): void {}
    public function key(): string {}
    public function current(): string|SplFileInfo|FilesystemIterator {}
    public function getFlags(): int {}
    public function setFlags(int $flags): void {}
}
