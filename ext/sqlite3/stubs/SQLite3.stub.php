<?php
class SQLite3 {
    public const int OK = 0;
    public const int DENY = 1;
    public const int IGNORE = 2;
    public const int CREATE_INDEX = 1;
    public const int CREATE_TABLE = 2;
    public const int CREATE_TEMP_INDEX = 3;
    public const int CREATE_TEMP_TABLE = 4;
    public const int CREATE_TEMP_TRIGGER = 5;
    public const int CREATE_TEMP_VIEW = 6;
    public const int CREATE_TRIGGER = 7;
    public const int CREATE_VIEW = 8;
    public const int DELETE = 9;
    public const int DROP_INDEX = 10;
    public const int DROP_TABLE = 11;
    public const int DROP_TEMP_INDEX = 12;
    public const int DROP_TEMP_TABLE = 13;
    public const int DROP_TEMP_TRIGGER = 14;
    public const int DROP_TEMP_VIEW = 15;
    public const int DROP_TRIGGER = 16;
    public const int DROP_VIEW = 17;
    public const int INSERT = 18;
    public const int PRAGMA = 19;
    public const int READ = 20;
    public const int SELECT = 21;
    public const int TRANSACTION = 22;
    public const int UPDATE = 23;
    public const int ATTACH = 24;
    public const int DETACH = 25;
    public const int ALTER_TABLE = 26;
    public const int REINDEX = 27;
    public const int ANALYZE = 28;
    public const int CREATE_VTABLE = 29;
    public const int DROP_VTABLE = 30;
    public const int FUNCTION = 31;
    public const int SAVEPOINT = 32;
    public const int COPY = 0;
    public const int RECURSIVE = 33;
    public function __construct(string $filename, int $flags = SQLITE3_OPEN_READWRITE | SQLITE3_OPEN_CREATE, string $encryptionKey = "") {}
    public function open(string $filename, int $flags = SQLITE3_OPEN_READWRITE | SQLITE3_OPEN_CREATE, string $encryptionKey = ""): void {}
    public function close(): bool {}
    public static function version(): array {}
    public function lastInsertRowID(): int {}
    public function lastErrorCode(): int {}
    public function lastExtendedErrorCode(): int {}
    public function lastErrorMsg(): string {}
    public function changes(): int {}
    public function busyTimeout(int $milliseconds): bool {}
    public function loadExtension(string $name): bool {}
    public function backup(SQLite3 $destination, string $sourceDatabase = "main", string $destinationDatabase = "main"): bool {}
    public static function escapeString(string $string): string {}
    public function prepare(string $query): SQLite3Stmt|false {}
    public function exec(string $query): bool {}
    public function query(string $query): SQLite3Result|false {}
    public function querySingle(string $query, bool $entireRow = false): mixed {}
    public function createFunction(string $name, callable $callback, int $argCount = -1, int $flags = 0): bool {}
    public function createAggregate(string $name, callable $stepCallback, callable $finalCallback, int $argCount = -1): bool {}
    public function createCollation(string $name, callable $callback): bool {}
    public function openBlob(string $table, string $column, int $rowid, string $database = "main", int $flags = SQLITE3_OPEN_READONLY) {}
    public function enableExceptions(bool $enable = false): bool {}
    public function enableExtendedResultCodes(bool $enable = true): bool {}
    public function setAuthorizer(?callable $callback): bool {}
}
