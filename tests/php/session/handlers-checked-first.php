<?php
// What is given as a handler is checked before whether it may still be changed.
set_error_handler(function ($level, $message) { echo "[$level] $message\n"; return true; });
echo "headers are sent\n";
flush();
foreach ([[1, true], [new stdClass], ["a", "b", "c"], ["a", "strlen", "strlen", "strlen", "strlen", "strlen"], array_fill(0, 6, "strlen"), array_fill(0, 7, "strlen"), [new SessionHandler]] as $arguments) {
    try { var_dump(session_set_save_handler(...$arguments)); } catch (Error $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; }
}
var_dump(session_cache_expire(5));
