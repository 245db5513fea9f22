<?php
// Builtin functions with code of their own in place of the call.
function measure(string $s, int $n) {
    for ($i = 0; $i < $n; $i++) {
        $n -= strlen($s);
        $n = max($n, ord($s[0]) - 100);
    }
    return $n;
}
measure('abc', 30);
