<?php
class PDOStatement implements \IteratorAggregate {
    public string $queryString;
    public function bindColumn(string|int $column, mixed &$var, int $type = PDO::PARAM_STR, int $maxLength = 0, mixed $driverOptions = null): bool {}
    public function bindParam(string|int $param, mixed &$var, int $type = PDO::PARAM_STR, int $maxLength = 0, mixed $driverOptions = null): bool {}
    public function bindValue(string|int $param, mixed $value, int $type = PDO::PARAM_STR): bool {}
    public function closeCursor(): bool {}
    public function columnCount(): int {}
    public function debugDumpParams(): ?bool {}
    public function errorCode(): ?string {}
    public function errorInfo(): array {}
    public function execute(?array $params = null): bool {}
    public function fetch(int $mode = PDO::FETCH_DEFAULT, int $cursorOrientation = PDO::FETCH_ORI_NEXT, int $cursorOffset = 0): mixed {}
    public function fetchAll(int $mode = PDO::FETCH_DEFAULT, mixed ...$args): array {}
    public function fetchColumn(int $column = 0): mixed {}
    public function fetchObject(?string $class = "stdClass", array $constructorArgs = []): object|false {}
    public function getAttribute(int $name): mixed {}
    public function getColumnMeta(int $column): array|false {}
    public function nextRowset(): bool {}
    public function rowCount(): int {}
    public function setAttribute(int $attribute, mixed $value): bool {}
    public function setFetchMode(int $mode, mixed ...$args): true {}
    #[real_return] public function getIterator(): Iterator {}
}
