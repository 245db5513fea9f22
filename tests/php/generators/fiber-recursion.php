<?php
//: exit 255
//: not-as-php its error is one that can be caught, with a trace of thousands of lines
// Recursion through builtin functions in a fiber, whose native stack is smaller, ends in an error, not in a crash.
function deeper(int $n) {
    return array_map('deeper', [$n + 1]);
}
$fiber = new Fiber(fn () => deeper(1));
$fiber->start();
echo "never reached\n";
