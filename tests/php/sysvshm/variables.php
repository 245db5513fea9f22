<?php
// Variables in shared memory: what is stored, room, removal, and what is refused.
error_reporting(E_ALL);
$key = 0x504b0000 | getmypid();
set_error_handler(function (int $level, string $text) use ($key) { echo $level, ': ', str_replace(dechex($key), 'KEY', $text), "\n"; return true; });
function attempt(callable $what) {
    try { var_dump($what()); } catch (Throwable $error) { echo get_class($error), ': ', $error->getMessage(), "\n"; }
}
attempt(fn() => shm_attach($key, 0));
attempt(fn() => shm_attach($key, 10));
$memory = shm_attach($key, 400);
attempt(fn() => get_class($memory));
attempt(fn() => [shm_has_var($memory, 1), shm_put_var($memory, 1, ['a', 2, 3.5, null]), shm_has_var($memory, 1)]);
attempt(fn() => shm_put_var($memory, -7, new ArrayObject(['x' => 1])));
attempt(fn() => [shm_get_var($memory, 1), shm_get_var($memory, -7)]);
attempt(fn() => [shm_put_var($memory, 1, 'another'), shm_get_var($memory, 1), shm_get_var($memory, -7)]);
attempt(fn() => shm_get_var($memory, 2));
attempt(fn() => shm_remove_var($memory, 2));
attempt(fn() => shm_put_var($memory, 3, str_repeat('x', 300)));
attempt(fn() => [shm_remove_var($memory, -7), shm_has_var($memory, -7), shm_get_var($memory, 1)]);
attempt(fn() => shm_put_var($memory, 3, str_repeat('x', 250)));
attempt(fn() => strlen(shm_get_var($memory, 3)));
$other = shm_attach($key);
attempt(fn() => shm_get_var($other, 1));
shm_put_var($other, 4, false);
attempt(fn() => [shm_has_var($memory, 4), shm_get_var($memory, 4)]);
attempt(fn() => [shm_detach($other), shm_remove($memory), shm_detach($memory)]);
attempt(fn() => shm_detach($memory));
attempt(fn() => shm_get_var($memory, 1));
attempt(fn() => shm_put_var($memory, 1, 1));
attempt(fn() => new SysvSharedMemory);
attempt(fn() => clone $memory);
attempt(fn() => serialize($memory));
