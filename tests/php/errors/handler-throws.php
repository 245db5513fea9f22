<?php
//: exit 255
// What the handler of uncaught exceptions throws is reported as uncaught.
set_exception_handler(function (Throwable $e) {
    echo get_class($e), ": ", $e->getMessage(), "\n";
    throw new LogicException('from the handler');
});
throw new RuntimeException('first');
