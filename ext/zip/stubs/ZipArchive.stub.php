<?php
class ZipArchive implements Countable {
    public const int CREATE = 1;
    public const int EXCL = 2;
    public const int CHECKCONS = 4;
    public const int OVERWRITE = 8;
    public const int RDONLY = 16;
    public const int FL_NOCASE = 1;
    public const int FL_NODIR = 2;
    public const int FL_COMPRESSED = 4;
    public const int FL_UNCHANGED = 8;
    #[\Deprecated(since: '8.3')]
    public const int FL_RECOMPRESS = 16;
    public const int FL_ENCRYPTED = 32;
    public const int FL_OVERWRITE = 8192;
    public const int FL_LOCAL = 256;
    public const int FL_CENTRAL = 512;
    public const int FL_ENC_GUESS = 0;
    public const int FL_ENC_RAW = 64;
    public const int FL_ENC_STRICT = 128;
    public const int FL_ENC_UTF_8 = 2048;
    public const int FL_ENC_CP437 = 4096;
    public const int FL_OPEN_FILE_NOW = 1073741824;
    public const int CM_DEFAULT = -1;
    public const int CM_STORE = 0;
    public const int CM_SHRINK = 1;
    public const int CM_REDUCE_1 = 2;
    public const int CM_REDUCE_2 = 3;
    public const int CM_REDUCE_3 = 4;
    public const int CM_REDUCE_4 = 5;
    public const int CM_IMPLODE = 6;
    public const int CM_DEFLATE = 8;
    public const int CM_DEFLATE64 = 9;
    public const int CM_PKWARE_IMPLODE = 10;
    public const int CM_BZIP2 = 12;
    public const int CM_LZMA = 14;
    public const int CM_LZMA2 = 33;
    public const int CM_ZSTD = 93;
    public const int CM_XZ = 95;
    public const int CM_TERSE = 18;
    public const int CM_LZ77 = 19;
    public const int CM_WAVPACK = 97;
    public const int CM_PPMD = 98;
    public const int ER_OK = 0;
    public const int ER_MULTIDISK = 1;
    public const int ER_RENAME = 2;
    public const int ER_CLOSE = 3;
    public const int ER_SEEK = 4;
    public const int ER_READ = 5;
    public const int ER_WRITE = 6;
    public const int ER_CRC = 7;
    public const int ER_ZIPCLOSED = 8;
    public const int ER_NOENT = 9;
    public const int ER_EXISTS = 10;
    public const int ER_OPEN = 11;
    public const int ER_TMPOPEN = 12;
    public const int ER_ZLIB = 13;
    public const int ER_MEMORY = 14;
    public const int ER_CHANGED = 15;
    public const int ER_COMPNOTSUPP = 16;
    public const int ER_EOF = 17;
    public const int ER_INVAL = 18;
    public const int ER_NOZIP = 19;
    public const int ER_INTERNAL = 20;
    public const int ER_INCONS = 21;
    public const int ER_REMOVE = 22;
    public const int ER_DELETED = 23;
    public const int ER_ENCRNOTSUPP = 24;
    public const int ER_RDONLY = 25;
    public const int ER_NOPASSWD = 26;
    public const int ER_WRONGPASSWD = 27;
    public const int ER_OPNOTSUPP = 28;
    public const int ER_INUSE = 29;
    public const int ER_TELL = 30;
    public const int ER_COMPRESSED_DATA = 31;
    public const int ER_CANCELLED = 32;
    public const int ER_DATA_LENGTH = 33;
    public const int ER_NOT_ALLOWED = 34;
    public const int ER_TRUNCATED_ZIP = 35;
    public const int AFL_RDONLY = 2;
    public const int AFL_IS_TORRENTZIP = 4;
    public const int AFL_WANT_TORRENTZIP = 8;
    public const int AFL_CREATE_OR_KEEP_FILE_FOR_EMPTY_ARCHIVE = 16;
    public const int OPSYS_DOS = 0;
    public const int OPSYS_AMIGA = 1;
    public const int OPSYS_OPENVMS = 2;
    public const int OPSYS_UNIX = 3;
    public const int OPSYS_VM_CMS = 4;
    public const int OPSYS_ATARI_ST = 5;
    public const int OPSYS_OS_2 = 6;
    public const int OPSYS_MACINTOSH = 7;
    public const int OPSYS_Z_SYSTEM = 8;
    public const int OPSYS_CPM = 9;
    public const int OPSYS_WINDOWS_NTFS = 10;
    public const int OPSYS_MVS = 11;
    public const int OPSYS_VSE = 12;
    public const int OPSYS_ACORN_RISC = 13;
    public const int OPSYS_VFAT = 14;
    public const int OPSYS_ALTERNATE_MVS = 15;
    public const int OPSYS_BEOS = 16;
    public const int OPSYS_TANDEM = 17;
    public const int OPSYS_OS_400 = 18;
    public const int OPSYS_OS_X = 19;
    public const int OPSYS_DEFAULT = 3;
    public const int EM_NONE = 0;
    public const int EM_TRAD_PKWARE = 1;
    public const int EM_AES_128 = 257;
    public const int EM_AES_192 = 258;
    public const int EM_AES_256 = 259;
    public const int EM_UNKNOWN = 65535;
    public const string LIBZIP_VERSION = '1.11.3';
    public const int LENGTH_TO_END = 0;
    public const int LENGTH_UNCHECKED = -2;
    public int $lastId;
    public int $status;
    public int $statusSys;
    public int $numFiles;
    public string $filename;
    public string $comment;
    public function open(string $filename, int $flags = 0): int|bool {}
    public function setPassword(#[\SensitiveParameter] string $password): bool {}
    public function close(): bool {}
    public function count(): int {}
    public function getStatusString(): string {}
    #[real_return] public function clearError(): void {}
    public function addEmptyDir(string $dirname, int $flags = 0): bool {}
    public function addFromString(string $name, string $content, int $flags = ZipArchive::FL_OVERWRITE): bool {}
    public function addFile(string $filepath, string $entryname = "", int $start = 0, int $length = ZipArchive::LENGTH_TO_END, int $flags = ZipArchive::FL_OVERWRITE): bool {}
    public function replaceFile(string $filepath, int $index, int $start = 0, int $length = ZipArchive::LENGTH_TO_END, int $flags = 0): bool {}
    public function addGlob(string $pattern, int $flags = 0, array $options = []): array|false {}
    public function addPattern(string $pattern, string $path = ".", array $options = []): array|false {}
    public function renameIndex(int $index, string $new_name): bool {}
    public function renameName(string $name, string $new_name): bool {}
    public function setArchiveComment(string $comment): bool {}
    public function getArchiveComment(int $flags = 0): string|false {}
    #[real_return] public function setArchiveFlag(int $flag, int $value): bool {}
    #[real_return] public function getArchiveFlag(int $flag, int $flags = 0): int {}
    public function setCommentIndex(int $index, string $comment): bool {}
    public function setCommentName(string $name, string $comment): bool {}
    public function setMtimeIndex(int $index, int $timestamp, int $flags = 0): bool {}
    public function setMtimeName(string $name, int $timestamp, int $flags = 0): bool {}
    public function getCommentIndex(int $index, int $flags = 0): string|false {}
    public function getCommentName(string $name, int $flags = 0): string|false {}
    public function deleteIndex(int $index): bool {}
    public function deleteName(string $name): bool {}
    public function statName(string $name, int $flags = 0): array|false {}
    public function statIndex(int $index, int $flags = 0): array|false {}
    public function locateName(string $name, int $flags = 0): int|false {}
    public function getNameIndex(int $index, int $flags = 0): string|false {}
    public function unchangeArchive(): bool {}
    public function unchangeAll(): bool {}
    public function unchangeIndex(int $index): bool {}
    public function unchangeName(string $name): bool {}
    public function extractTo(string $pathto, array|string|null $files = null): bool {}
    public function getFromName(string $name, int $len = 0, int $flags = 0): string|false {}
    public function getFromIndex(int $index, int $len = 0, int $flags = 0): string|false {}
    public function getStreamIndex(int $index, int $flags = 0) {}
    public function getStreamName(string $name, int $flags = 0) {}
    public function getStream(string $name) {}
    public function setExternalAttributesName(string $name, int $opsys, int $attr, int $flags = 0): bool {}
    public function setExternalAttributesIndex(int $index, int $opsys, int $attr, int $flags = 0): bool {}
    public function getExternalAttributesName(string $name, &$opsys, &$attr, int $flags = 0): bool {}
    public function getExternalAttributesIndex(int $index, &$opsys, &$attr, int $flags = 0): bool {}
    public function setCompressionName(string $name, int $method, int $compflags = 0): bool {}
    public function setCompressionIndex(int $index, int $method, int $compflags = 0): bool {}
    public function setEncryptionName(string $name, int $method, #[\SensitiveParameter] ?string $password = null): bool {}
    public function setEncryptionIndex(int $index, int $method, #[\SensitiveParameter] ?string $password = null): bool {}
    public function registerProgressCallback(float $rate, callable $callback): bool {}
    public function registerCancelCallback(callable $callback): bool {}
    #[real_return] public static function isCompressionMethodSupported(int $method, bool $enc = true): bool {}
    #[real_return] public static function isEncryptionMethodSupported(int $method, bool $enc = true): bool {}
}
