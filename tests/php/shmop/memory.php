<?php
// Bytes of shared memory: modes, limits, and what is refused.
error_reporting(E_ALL);
set_error_handler(function (int $level, string $text) { echo $level, ': ', $text, "\n"; return true; });
function attempt(callable $what) {
    try { var_dump($what()); } catch (Throwable $error) { echo get_class($error), ': ', $error->getMessage(), "\n"; }
}
$key = 0x50480000 | getmypid();
attempt(fn() => shmop_open($key, 'a', 0, 0));
attempt(fn() => shmop_open($key, 'w', 0, 0));
attempt(fn() => shmop_open($key, 'c', 0644, 0));
attempt(fn() => shmop_open($key, 'x', 0644, 10));
attempt(fn() => shmop_open($key, 'ab', 0644, 10));
$memory = shmop_open($key, 'n', 0644, 100);
attempt(fn() => [get_class($memory), shmop_size($memory), shmop_write($memory, 'some data', 0), shmop_read($memory, 0, 9), shmop_read($memory, 5, 4)]);
attempt(fn() => shmop_open($key, 'n', 0644, 100));
attempt(fn() => shmop_write($memory, str_repeat('x', 200), 90));
attempt(fn() => strlen(shmop_read($memory, 90, 0)));
attempt(fn() => shmop_write($memory, 'x', 101));
attempt(fn() => shmop_write($memory, 'x', -1));
attempt(fn() => shmop_read($memory, -1, 1));
attempt(fn() => shmop_read($memory, 101, 0));
attempt(fn() => shmop_read($memory, 50, 51));
attempt(fn() => shmop_read($memory, 50, PHP_INT_MAX));
$other = shmop_open($key, 'a', 0, 0);
attempt(fn() => shmop_read($other, 0, 9));
attempt(fn() => shmop_write($other, 'x', 0));
$third = shmop_open($key, 'w', 0, 0);
attempt(fn() => shmop_write($third, 'new', 0));
attempt(fn() => shmop_read($other, 0, 9));
attempt(fn() => shmop_close($other));
attempt(fn() => [shmop_delete($memory), $memory == $other, $memory == $memory]);
attempt(fn() => new Shmop);
attempt(fn() => clone $memory);
attempt(fn() => serialize($memory));
