<?php
class SQLite3Result {
    private function __construct() {}
    public function numColumns(): int {}
    public function columnName(int $column): string|false {}
    public function columnType(int $column): int|false {}
    public function fetchArray(int $mode = SQLITE3_BOTH): array|false {}
    public function reset(): bool {}
    public function finalize(): true {}
}
