<?php
// The body of a generator from a resume point on: it works on the frame where that is kept.
function numbers($n) {
    for ($i = 0; $i < $n; $i++) {
        yield $i;
    }
}
$s = 0;
foreach (numbers(9) as $n) {
    $s += $n;
}
