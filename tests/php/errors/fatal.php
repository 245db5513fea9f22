<?php
//: exit 255
// A fatal error ends the script at once: no finally, no destructor, but shutdown functions.
register_shutdown_function(function () { echo "shutdown: ", error_get_last()['type'], "\n"; });
class D { public function __destruct() { echo "never destroyed\n"; } }
$d = new D;
function f() {
    try {
        eval('class stdClass {}');
    } finally {
        echo "not reached\n";
    }
}
f();
