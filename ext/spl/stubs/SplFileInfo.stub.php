<?php
class SplFileInfo implements Stringable {
    public function __construct(string $filename) {}
    public function getPath(): string {}
    public function getFilename(): string {}
    public function getExtension(): string {}
    public function getBasename(string $suffix = ""): string {}
    public function getPathname(): string {}
    public function getPerms(): int|false {}
    public function getInode(): int|false {}
    public function getSize(): int|false {}
    public function getOwner(): int|false {}
    public function getGroup(): int|false {}
    public function getATime(): int|false {}
    public function getMTime(): int|false {}
    public function getCTime(): int|false {}
    public function getType(): string|false {}
    public function isWritable(): bool {}
    public function isReadable(): bool {}
    public function isExecutable(): bool {}
    public function isFile(): bool {}
    public function isDir(): bool {}
    public function isLink(): bool {}
    public function getLinkTarget(): string|false {}
    public function getRealPath(): string|false {}
    public function getFileInfo(?string $class = null): SplFileInfo {}
    public function getPathInfo(?string $class = null): ?SplFileInfo {}
    public function openFile(string $mode = "r", bool $useIncludePath = false, $context = null): SplFileObject {}
    public function setFileClass(#[written("SplFileObject::class")] string $class = SplFileObject::class): void {}
    public function setInfoClass(#[written("SplFileInfo::class")] string $class = SplFileInfo::class): void {}
    public function __toString(): string {}
    public function __debugInfo(): array {}
    #[\Deprecated(since: '8.2')]
    final public function _bad_state_ex(): void {}
}
