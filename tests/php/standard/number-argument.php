<?php
// The declared type of number_format's argument is float, yet integers stay integers.
set_error_handler(function ($level, $message) { echo "[$level] $message\n"; return true; });
foreach ([[], null, "abc", PHP_INT_MAX, "9223372036854775807", 1.5, true] as $value) {
    try { var_dump(number_format($value)); } catch (Error $e) { echo $e->getMessage(), "\n"; }
}
echo (new ReflectionFunction('number_format'))->getParameters()[0], "\n";
