<?php
// set_error_handler: what it gets, returning false, restoring, throwing.
function handler($no, $message, $file, $line) { echo "[handler $no: $message @", basename($file), ":$line]\n"; return true; }
set_error_handler('handler');
echo $undefined;
echo [] . '', "\n";
trigger_error('custom', E_USER_WARNING);
$a = [];
echo $a['k'] ?? 'quiet', @$a['silenced'], "\n";
set_error_handler(fn($n, $m) => throw new ErrorException($m, 0, $n), E_WARNING);
try {
    echo $a['thrown'];
} catch (ErrorException $e) {
    echo get_class($e), $e->getSeverity(), $e->getMessage(), "\n";
}
restore_error_handler();
echo $again;
set_error_handler(fn() => false);
echo $falls_through;
restore_error_handler();
restore_error_handler();
echo $plain, "\n";
error_reporting(E_ALL & ~E_WARNING);
echo $hidden, "end\n";
print_r(error_get_last()['message']);
