<?php
// What an include calls before its file runs shows it as a caller.
set_error_handler(function ($level, $message) {
    foreach (debug_backtrace() as $row) {
        echo $row['function'], ' from line ', $row['line'] ?? '-', ', ', isset($row['args']) ? 'with' : 'without', " arguments\n";
    }
    return true;
});
include 'no-such-file.php';
function load()
{
    include_once 'no-such-file.php';
}
load();
