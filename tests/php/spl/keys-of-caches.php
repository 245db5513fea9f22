<?php
// A key is checked before the cache.
set_error_handler(function ($level, $message) { echo "[$level] $message\n"; return true; });
foreach ([CachingIterator::CALL_TOSTRING, CachingIterator::FULL_CACHE] as $flags) {
    $iterator = new CachingIterator(new ArrayIterator([1]), $flags);
    foreach ([[], null, new stdClass, "a"] as $key) {
        foreach (['offsetGet', 'offsetExists', 'offsetUnset', 'offsetSet'] as $method) {
            try {
                var_dump($iterator->$method(...($method === 'offsetSet' ? [$key, 1] : [$key])));
            } catch (Throwable $e) {
                echo get_class($e), ": ", $e->getMessage(), "\n";
            }
        }
    }
}
