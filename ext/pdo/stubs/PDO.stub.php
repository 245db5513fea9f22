<?php
class PDO {
    public const int PARAM_NULL = 0;
    public const int PARAM_BOOL = 5;
    public const int PARAM_INT = 1;
    public const int PARAM_STR = 2;
    public const int PARAM_LOB = 3;
    public const int PARAM_STMT = 4;
    public const int PARAM_INPUT_OUTPUT = 2147483648;
    public const int PARAM_STR_NATL = 1073741824;
    public const int PARAM_STR_CHAR = 536870912;
    public const int PARAM_EVT_ALLOC = 0;
    public const int PARAM_EVT_FREE = 1;
    public const int PARAM_EVT_EXEC_PRE = 2;
    public const int PARAM_EVT_EXEC_POST = 3;
    public const int PARAM_EVT_FETCH_PRE = 4;
    public const int PARAM_EVT_FETCH_POST = 5;
    public const int PARAM_EVT_NORMALIZE = 6;
    public const int FETCH_DEFAULT = 0;
    public const int FETCH_LAZY = 1;
    public const int FETCH_ASSOC = 2;
    public const int FETCH_NUM = 3;
    public const int FETCH_BOTH = 4;
    public const int FETCH_OBJ = 5;
    public const int FETCH_BOUND = 6;
    public const int FETCH_COLUMN = 7;
    public const int FETCH_CLASS = 8;
    public const int FETCH_INTO = 9;
    public const int FETCH_FUNC = 10;
    public const int FETCH_GROUP = 65536;
    public const int FETCH_UNIQUE = 196608;
    public const int FETCH_KEY_PAIR = 12;
    public const int FETCH_CLASSTYPE = 262144;
    public const int FETCH_SERIALIZE = 524288;
    public const int FETCH_PROPS_LATE = 1048576;
    public const int FETCH_NAMED = 11;
    public const int ATTR_AUTOCOMMIT = 0;
    public const int ATTR_PREFETCH = 1;
    public const int ATTR_TIMEOUT = 2;
    public const int ATTR_ERRMODE = 3;
    public const int ATTR_SERVER_VERSION = 4;
    public const int ATTR_CLIENT_VERSION = 5;
    public const int ATTR_SERVER_INFO = 6;
    public const int ATTR_CONNECTION_STATUS = 7;
    public const int ATTR_CASE = 8;
    public const int ATTR_CURSOR_NAME = 9;
    public const int ATTR_CURSOR = 10;
    public const int ATTR_ORACLE_NULLS = 11;
    public const int ATTR_PERSISTENT = 12;
    public const int ATTR_STATEMENT_CLASS = 13;
    public const int ATTR_FETCH_TABLE_NAMES = 14;
    public const int ATTR_FETCH_CATALOG_NAMES = 15;
    public const int ATTR_DRIVER_NAME = 16;
    public const int ATTR_STRINGIFY_FETCHES = 17;
    public const int ATTR_MAX_COLUMN_LEN = 18;
    public const int ATTR_EMULATE_PREPARES = 20;
    public const int ATTR_DEFAULT_FETCH_MODE = 19;
    public const int ATTR_DEFAULT_STR_PARAM = 21;
    public const int ERRMODE_SILENT = 0;
    public const int ERRMODE_WARNING = 1;
    public const int ERRMODE_EXCEPTION = 2;
    public const int CASE_NATURAL = 0;
    public const int CASE_LOWER = 2;
    public const int CASE_UPPER = 1;
    public const int NULL_NATURAL = 0;
    public const int NULL_EMPTY_STRING = 1;
    public const int NULL_TO_STRING = 2;
    public const string ERR_NONE = '00000';
    public const int FETCH_ORI_NEXT = 0;
    public const int FETCH_ORI_PRIOR = 1;
    public const int FETCH_ORI_FIRST = 2;
    public const int FETCH_ORI_LAST = 3;
    public const int FETCH_ORI_ABS = 4;
    public const int FETCH_ORI_REL = 5;
    public const int CURSOR_FWDONLY = 0;
    public const int CURSOR_SCROLL = 1;
    public const SQLITE_DETERMINISTIC = 2048;
    public const SQLITE_ATTR_OPEN_FLAGS = 1000;
    public const SQLITE_OPEN_READONLY = 1;
    public const SQLITE_OPEN_READWRITE = 2;
    public const SQLITE_OPEN_CREATE = 4;
    public const SQLITE_ATTR_READONLY_STATEMENT = 1001;
    public const SQLITE_ATTR_EXTENDED_RESULT_CODES = 1002;
    public function __construct(string $dsn, ?string $username = null, #[\SensitiveParameter] ?string $password = null, ?array $options = null) {}
    #[real_return] public static function connect(string $dsn, ?string $username = null, #[\SensitiveParameter] ?string $password = null, ?array $options = null): static {}
    public function beginTransaction(): bool {}
    public function commit(): bool {}
    public function errorCode(): ?string {}
    public function errorInfo(): array {}
    public function exec(string $statement): int|false {}
    public function getAttribute(int $attribute): mixed {}
    public static function getAvailableDrivers(): array {}
    public function inTransaction(): bool {}
    public function lastInsertId(?string $name = null): string|false {}
    public function prepare(string $query, array $options = []): PDOStatement|false {}
    public function query(string $query, ?int $fetchMode = null, mixed ...$fetchModeArgs): PDOStatement|false {}
    public function quote(string $string, int $type = PDO::PARAM_STR): string|false {}
    public function rollBack(): bool {}
    public function setAttribute(int $attribute, mixed $value): bool {}
    #[tacit] public function sqliteCreateFunction(string $function_name, callable $callback, int $num_args = -1, int $flags = 0): bool {}
    #[tacit] public function sqliteCreateAggregate(string $name, callable $step, callable $finalize, int $numArgs = -1): bool {}
    #[tacit] public function sqliteCreateCollation(string $name, callable $callback): bool {}
}
