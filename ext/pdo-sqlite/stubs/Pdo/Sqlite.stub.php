<?php
namespace Pdo; class Sqlite extends \PDO {
    public const int DETERMINISTIC = 2048;
    public const int OPEN_READONLY = 1;
    public const int OPEN_READWRITE = 2;
    public const int OPEN_CREATE = 4;
    public const int ATTR_OPEN_FLAGS = 1000;
    public const int ATTR_READONLY_STATEMENT = 1001;
    public const int ATTR_EXTENDED_RESULT_CODES = 1002;
    #[real_return] public function createAggregate(string $name, callable $step, callable $finalize, int $numArgs = -1): bool {}
    #[real_return] public function createCollation(string $name, callable $callback): bool {}
    #[real_return] public function createFunction(string $function_name, callable $callback, int $num_args = -1, int $flags = 0): bool {}
    #[real_return] public function loadExtension(string $name): void {}
    public function openBlob(string $table, string $column, int $rowid, ?string $dbname = "main", int $flags = \Pdo\Sqlite::OPEN_READONLY) {}
}
