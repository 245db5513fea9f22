<?php
class SQLite3Stmt {
    private function __construct(SQLite3 $sqlite3, string $query) {}
    public function bindParam(string|int $param, mixed &$var, int $type = SQLITE3_TEXT): bool {}
    public function bindValue(string|int $param, mixed $value, int $type = SQLITE3_TEXT): bool {}
    public function clear(): bool {}
    public function close(): true {}
    public function execute(): SQLite3Result|false {}
    public function getSQL(bool $expand = false): string|false {}
    public function paramCount(): int {}
    public function readOnly(): bool {}
    public function reset(): bool {}
}
