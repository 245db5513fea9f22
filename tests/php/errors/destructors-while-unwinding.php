<?php
// A destructor that throws while a frame goes: its exception is in front, the earlier one behind.
class Throws { function __destruct() { throw new LogicException("destructor"); } }
function fail() { $t = new Throws; throw new RuntimeException("body"); }
try {
    fail();
} catch (Exception $e) {
    echo get_class($e), " <- ", get_class($e->getPrevious()), "\n";
}
ini_set("ignore_repeated_errors", 1);
for ($i = 0; $i < 3; $i++) {
    trigger_error("again");
}
ini_set("ignore_repeated_errors", 0);
var_dump(ini_set("zend.exception_string_param_max_len", "-1"));
function args(...$a) { return (new Exception)->getTraceAsString(); }
echo strstr(args("a\nb\0\x1b\\é'"), "args"), "\n";
try {
    (new class { function m(int $x) {} })->m("x");
} catch (TypeError $e) {
    echo strstr($e->getMessage(), ", called", true), "\n";
}
function f() {
    try {
        array_map("compact", ["x"]);
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
}
f();
