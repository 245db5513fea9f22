<?php
//: exit 7
// exit runs finally blocks? No. Destructors and shutdown functions? Yes.
class D { public function __destruct() { echo "destructor\n"; } }
$d = new D;
register_shutdown_function(fn() => print("shutdown\n"));
function leave() {
    try {
        exit(7);
    } finally {
        echo "finally is skipped\n";
    }
}
ob_start();
echo "buffered\n";
leave();
