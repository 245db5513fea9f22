<?php
// exit is a function that can be named, and its argument is checked.
foreach ([fn() => exit([]), fn() => exit(new stdClass), fn() => exit(status: null, x: 1)] as $attempt) {
    try {
        $attempt();
    } catch (Throwable $e) {
        echo get_class($e), ": ", $e->getMessage(), "\n";
    }
}
$exit = exit(...);
var_dump($exit === die(...), (new ReflectionFunction($exit))->getName(), function_exists("die"));
class D { function __destruct() { echo "destroyed\n"; } }
$d = new D;
register_shutdown_function(fn() => print("shutdown\n"));
try {
    call_user_func("exit", status: "bye\n");
} finally {
    echo "never\n";
}
