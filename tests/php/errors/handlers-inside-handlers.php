<?php
// A handler is not installed while it runs; one that it sets is.
set_error_handler(function ($level, $message) {
    echo "outer: $message\n";
    set_error_handler(function ($level, $message) {
        echo "inner: $message\n";
    });
    echo $missing;
    restore_error_handler();
});
echo $first;
echo $second;
restore_error_handler();
set_error_handler(function ($level, $message) {
    echo "for good: $message\n";
    set_error_handler(function ($level, $message) {
        echo "from now on: $message\n";
    });
});
echo $third;
echo $fourth;
restore_error_handler();
// The same with exceptions.
set_exception_handler(function ($exception) {
    echo 'handled: ', $exception->getMessage(), "\n";
    restore_exception_handler();
    register_shutdown_function(function () {
        var_dump(set_exception_handler(null) instanceof Closure);
    });
});
throw new Exception('last');
