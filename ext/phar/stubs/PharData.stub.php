<?php
class PharData extends \RecursiveDirectoryIterator implements \Countable, \ArrayAccess {
    public function __construct(string $filename,
        int $flags = FilesystemIterator::SKIP_DOTS|FilesystemIterator::UNIX_PATHS, ?string $alias = null,
        int $format = 0) {}
    public function compress(int $compression, ?string $extension = null): ?PharData {}
    public function decompress(?string $extension = null): ?PharData {}
    public function setAlias(string $alias): bool {}
    public function setDefaultStub(?string $index = null, ?string $webIndex = null): bool {}
    public function __destruct() {}
    public function addEmptyDir(string $directory): void {}
    public function addFile(string $filename, ?string $localName = null): void {}
    public function addFromString(string $localName, string $contents): void {}
    public function buildFromDirectory(string $directory, string $pattern = ''): array {}
    public function buildFromIterator(Traversable $iterator, ?string $baseDirectory = null): array {}
    public function compressFiles(int $compression): void {}
    public function decompressFiles(): true {}
    public function convertToExecutable(?int $format = null, ?int $compression = null, ?string $extension = null): ?Phar {}
    public function convertToData(?int $format = null, ?int $compression = null, ?string $extension = null): ?PharData {}
    public function copy(string $from, string $to): true {}
    public function count(int $mode = COUNT_NORMAL): int {}
    public function delete(string $localName): true {}
    public function delMetadata(): true {}
    public function extractTo(string $directory, array|string|null $files = null, bool $overwrite = false): bool {}
    public function getAlias(): ?string {}
    public function getPath(): string {}
    public function getMetadata(array $unserializeOptions = []): mixed {}
    public function getModified(): bool {}
    public function getSignature(): array|false {}
    public function getStub(): string {}
    public function getVersion(): string {}
    public function hasMetadata(): bool {}
    public function isBuffering(): bool {}
    public function isCompressed(): int|false {}
    public function isFileFormat(int $format): bool {}
    public function isWritable(): bool {}
    public function offsetExists($localName): bool {}
    public function offsetGet($localName): SplFileInfo {}
    public function offsetSet($localName, $value): void {}
    public function offsetUnset($localName): void {}
    public function setMetadata(mixed $metadata): void {}
    public function setSignatureAlgorithm(int $algo, ?string $privateKey = null): void {}
    public function setStub($stub, int $length = UNKNOWN): true {}
    public function startBuffering(): void {}
    public function stopBuffering(): void {}
    #[real_return] final public static function apiVersion(): string {}
    #[real_return] final public static function canCompress(int $compression = 0): bool {}
    #[real_return] final public static function canWrite(): bool {}
    #[real_return] final public static function createDefaultStub(?string $index = null, ?string $webIndex = null): string {}
    #[real_return] final public static function getSupportedCompression(): array {}
    #[real_return] final public static function getSupportedSignatures(): array {}
    #[real_return] final public static function interceptFileFuncs(): void {}
    #[real_return] final public static function isValidPharFilename(string $filename, bool $executable = true): bool {}
    #[real_return] final public static function loadPhar(string $filename, ?string $alias = null): bool {}
    #[real_return] final public static function mapPhar(?string $alias = null, int $offset = 0): bool {}
    #[real_return] final public static function running(bool $returnPhar = true): string {}
    #[real_return] final public static function mount(string $pharPath, string $externalPath): void {}
    #[real_return] final public static function mungServer(array $variables): void {}
    #[real_return] final public static function unlinkArchive(string $filename): true {}
    #[real_return] final public static function webPhar(?string $alias = null, ?string $index = null,
        ?string $fileNotFoundScript = null, array $mimeTypes = [], ?callable $rewrite = null): void {}
}
