//! The declarations of `Phar` and `PharData`.

use crate::methods::*;
use crate::statics::*;
use phlox_runtime::class::NativeHooks;
use phlox_runtime::{NativeClass, NativeFn};

/// The methods that both classes have.
macro_rules! shared {
    () => {
        "public function __destruct() {}
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
            ?string $fileNotFoundScript = null, array $mimeTypes = [], ?callable $rewrite = null): void {}"
    };
}

const METHODS: &[(&str, NativeFn)] = &[
    ("__construct", construct),
    ("__destruct", destruct),
    ("addEmptyDir", add_empty_dir),
    ("addFile", add_file),
    ("addFromString", add_from_string),
    ("buildFromDirectory", build_from_directory),
    ("buildFromIterator", build_from_iterator),
    ("compress", compress),
    ("compressFiles", compress_files),
    ("convertToData", convert_to_data),
    ("convertToExecutable", convert_to_executable),
    ("copy", copy),
    ("count", count),
    ("decompress", decompress),
    ("decompressFiles", decompress_files),
    ("delMetadata", del_metadata),
    ("delete", delete),
    ("extractTo", extract_to),
    ("getAlias", get_alias),
    ("getMetadata", get_metadata),
    ("getModified", get_modified),
    ("getPath", get_path),
    ("getSignature", get_signature),
    ("getStub", get_stub),
    ("getVersion", get_version),
    ("hasMetadata", has_metadata),
    ("isBuffering", is_buffering),
    ("isCompressed", is_compressed),
    ("isFileFormat", is_file_format),
    ("isWritable", is_writable),
    ("offsetExists", offset_exists),
    ("offsetGet", offset_get),
    ("offsetSet", add_from_string),
    ("offsetUnset", delete),
    ("setAlias", set_alias),
    ("setDefaultStub", set_default_stub),
    ("setMetadata", set_metadata),
    ("setSignatureAlgorithm", set_signature_algorithm),
    ("setStub", set_stub),
    ("startBuffering", start_buffering),
    ("stopBuffering", stop_buffering),
    ("apiVersion", api_version),
    ("canCompress", can_compress),
    ("canWrite", can_write),
    ("createDefaultStub", create_default_stub),
    ("getSupportedCompression", get_supported_compression),
    ("getSupportedSignatures", get_supported_signatures),
    ("interceptFileFuncs", nothing),
    ("isValidPharFilename", is_valid_phar_filename),
    ("loadPhar", load_phar),
    ("mapPhar", map_phar),
    ("mount", mount),
    ("mungServer", nothing),
    ("running", running),
    ("unlinkArchive", unlink_archive),
    ("webPhar", web_phar),
];

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "PharException",
        decl: "class PharException extends \\Exception {}",
        methods: &[],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "Phar",
        decl: concat!(
            "class Phar extends \\RecursiveDirectoryIterator implements \\Countable, \\ArrayAccess {
            const int BZ2 = 8192;
            const int GZ = 4096;
            const int NONE = 0;
            const int PHAR = 1;
            const int TAR = 2;
            const int ZIP = 3;
            const int COMPRESSED = 61440;
            const int PHP = 0;
            const int PHPS = 1;
            const int MD5 = 1;
            const int OPENSSL = 16;
            const int OPENSSL_SHA256 = 17;
            const int OPENSSL_SHA512 = 18;
            const int SHA1 = 2;
            const int SHA256 = 3;
            const int SHA512 = 4;
            public function __construct(string $filename,
                int $flags = FilesystemIterator::SKIP_DOTS|FilesystemIterator::UNIX_PATHS, ?string $alias = null) {}
            public function compress(int $compression, ?string $extension = null): ?Phar {}
            public function decompress(?string $extension = null): ?Phar {}
            public function setAlias(string $alias): true {}
            public function setDefaultStub(?string $index = null, ?string $webIndex = null): true {}
            ",
            shared!(),
            "}"
        ),
        methods: METHODS,
        hooks: NativeHooks { no_serialize: true, ..NativeHooks::NONE },
    },
    NativeClass {
        name: "PharData",
        decl: concat!(
            "class PharData extends \\RecursiveDirectoryIterator implements \\Countable, \\ArrayAccess {
            public function __construct(string $filename,
                int $flags = FilesystemIterator::SKIP_DOTS|FilesystemIterator::UNIX_PATHS, ?string $alias = null,
                int $format = 0) {}
            public function compress(int $compression, ?string $extension = null): ?PharData {}
            public function decompress(?string $extension = null): ?PharData {}
            public function setAlias(string $alias): bool {}
            public function setDefaultStub(?string $index = null, ?string $webIndex = null): bool {}
            ",
            shared!(),
            "}"
        ),
        methods: METHODS,
        hooks: NativeHooks { no_serialize: true, ..NativeHooks::NONE },
    },
];
