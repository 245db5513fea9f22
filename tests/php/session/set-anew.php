<?php
//: ini session.save_path=
// What is empty is written, what is unchanged is touched; callbacks of their own leave the rest of a handler that was set before;
// the cache's time while a session is active.

error_reporting(E_ALL & ~E_DEPRECATED);
class Handler extends SessionHandler implements SessionUpdateTimestampHandlerInterface {
    function open($path, $name): bool { return true; }
    function close(): bool { return true; }
    function read($id): string|false { return ''; }
    function write($id, $data): bool { echo "write\n"; return true; }
    function destroy($id): bool { return true; }
    function gc($age): int|false { return 0; }
    function create_sid(): string { return 'sid'; }
    function validateId($id): bool { return true; }
    function updateTimestamp($id, $data): bool { echo "touch\n"; return true; }
}
ob_start();
$options = ['use_cookies' => 0, 'cache_limiter' => ''];
session_set_save_handler(new Handler);
session_start($options);
var_dump(session_cache_expire(5), session_cache_expire());
session_write_close();
session_start($options);
$_SESSION['a'] = 1;
session_write_close();
session_set_save_handler(fn() => true, fn() => true, fn() => 'a|i:1;', function () { echo "own write\n"; return true; }, fn() => true, fn() => 1);
session_start($options);
session_write_close();
