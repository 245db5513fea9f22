<?php
// Builtin functions that PHP compiles to instructions are in no trace where they are called as such.

class Text { function __toString(): string { throw new Exception('text'); } }
class Counted implements Countable { function count(): int { throw new Exception('counted'); } }

function show(callable $body): void {
    try {
        $body();
    } catch (Throwable $e) {
        echo $e->getMessage(), "\n", $e->getTraceAsString(), "\n";
    }
}

show(function () { strlen([]); });
show(function () { \strlen([]); });
show(function () { count(5); });
show(function () { sizeof(null); });
show(function () { array_key_exists(1, 5); });
show(function () { get_class(5); });
show(function () { get_called_class(); });
show(function () { strval(new Text); });
show(function () { count(new Counted); });
show(function () { $f = 'strlen'; $f([]); });
show(function () { call_user_func('count', 5); });
show(function () { array_map('strlen', [[]]); });
show(function () { count(5, 1); });
show(function () { strlen(1, 2); });
show(function () { ord([]); });
