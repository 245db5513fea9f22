<?php
// Recursion through builtin functions in a fiber, whose native stack is smaller, ends in an error that can be caught, not in a crash.
function deeper(int $n) {
    return array_map('deeper', [$n + 1]);
}
$fiber = new Fiber(fn () => deeper(1));
try {
    $fiber->start();
    echo "never reached\n";
} catch (Error $e) {
    echo get_class($e), ': ', $e->getMessage(), "\n", $fiber->isTerminated() ? 'ended' : 'alive', "\n";
}
