<?php
// Semaphores: how often they are acquired, waiting, release, and removal.
error_reporting(E_ALL);
$key = 0x504a0000 | getmypid();
set_error_handler(function (int $level, string $text) use ($key) { echo $level, ': ', str_replace(dechex($key), 'KEY', $text), "\n"; return true; });
function attempt(callable $what) {
    try { var_dump($what()); } catch (Throwable $error) { echo get_class($error), ': ', $error->getMessage(), "\n"; }
}
$semaphore = sem_get($key, 2);
attempt(fn() => get_class($semaphore));
attempt(fn() => sem_release($semaphore));
attempt(fn() => [sem_acquire($semaphore), sem_acquire($semaphore, true), sem_acquire($semaphore, true)]);
$again = sem_get($key, 9);
attempt(fn() => [sem_acquire($again, true), sem_release($again)]);
attempt(fn() => [sem_release($semaphore), sem_acquire($again, true), sem_release($again), sem_release($semaphore)]);
sem_acquire($semaphore);
sem_acquire($semaphore);
$semaphore = null;
attempt(fn() => sem_acquire($again, true));
attempt(fn() => sem_remove($again));
attempt(fn() => sem_remove($again));
attempt(fn() => sem_acquire($again));
attempt(fn() => new SysvSemaphore);
attempt(fn() => clone $again);
attempt(fn() => serialize($again));
