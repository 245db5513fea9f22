<?php
set_error_handler(function ($level, $message) { echo "[$level] $message\n"; return true; });
function attempt(callable $f) {
    try { var_dump($f()); } catch (Throwable $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; }
}
// An encoding that is named again is not complained about again.
foreach (["HTML", "HTML", "html", "UTF-8", "HTML"] as $name) {
    echo $name, "\n";
    mb_encoding_aliases($name);
}
