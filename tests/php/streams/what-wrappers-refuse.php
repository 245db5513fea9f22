<?php
set_error_handler(function ($level, $message) { echo "[$level] $message\n"; return true; });
function attempt(callable $f) {
    try { var_dump($f()); } catch (Throwable $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; }
}
foreach (["php://x", "data:x", "glob://x", "http://127.0.0.1:1/x"] as $url) {
    echo $url, "\n";
    attempt(fn() => mkdir($url));
    attempt(fn() => rmdir($url));
    attempt(fn() => unlink($url));
    attempt(fn() => rename($url, $url));
    attempt(fn() => touch($url));
    attempt(fn() => chmod($url, 0));
}
attempt(fn() => touch("php://memory"));
// What is no stream is no part of a set.
$closed = fopen('php://memory', 'r');
fclose($closed);
$write = $except = null;
foreach ([[1], [$closed], ["a", null], [stream_context_create()]] as $read) {
    attempt(function () use (&$read, &$write, &$except) { return stream_select($read, $write, $except, 0); });
}
attempt(fn() => file_get_contents("php://temp/maxmemory:-1"));
attempt(fn() => fopen("php://temp/maxmemory:-1", "r"));
attempt(fn() => new SplFileObject("php://temp/maxmemory:-1"));
attempt(fn() => file_get_contents("php://filter/read=string.toupper"));
foreach (["1x", "", "1.0"] as $descriptor) {
    attempt(fn() => fopen("php://fd/$descriptor", "r"));
}
attempt(fn() => fwrite(fopen("data:,abc", "r"), "x"));
attempt(fn() => file_put_contents("data:,abc", ""));
attempt(fn() => file_put_contents("data:,abc", ["x"]));
attempt(fn() => stream_socket_get_name(fopen('php://memory', 'r'), true));
attempt(fn() => stream_socket_get_name(fopen(__FILE__, 'r'), false));
attempt(fn() => stream_resolve_include_path("") === getcwd());
attempt(fn() => glob(str_repeat("a", 4095)));
attempt(fn() => glob(str_repeat("a", 4096)));
