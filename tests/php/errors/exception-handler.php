<?php
// set_exception_handler ends the script after it; the shutdown functions follow.
set_exception_handler(function (Throwable $e) { echo 'handled: ', get_class($e), ' ', $e->getMessage(), "\n"; });
register_shutdown_function(function () { echo "shutdown 1\n"; register_shutdown_function(fn() => print("shutdown 2\n")); });
class D { public function __destruct() { echo "destructor\n"; } }
$d = new D;
function thrower() { throw new DomainException('out of domain'); }
thrower();
echo "never\n";
