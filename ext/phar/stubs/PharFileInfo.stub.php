<?php
class PharFileInfo extends \SplFileInfo {
    public function __construct(string $filename) {}
    public function __destruct() {}
    public function chmod(int $perms): void {}
    public function compress(int $compression): true {}
    public function decompress(): true {}
    public function delMetadata(): true {}
    public function getCompressedSize(): int {}
    public function getCRC32(): int {}
    public function getContent(): string {}
    public function getMetadata(array $unserializeOptions = []): mixed {}
    public function getPharFlags(): int {}
    public function hasMetadata(): bool {}
    public function isCompressed(?int $compression = null): bool {}
    public function isCRCChecked(): bool {}
    public function setMetadata(mixed $metadata): void {}
}
