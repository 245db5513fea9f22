<?php
// A call of a small function in a loop: its body takes the call's place.
function double(int $n): int {
    return $n * 2;
}
for ($i = 0, $s = 0; $i < 6; $i++) {
    $s += double($i);
}
