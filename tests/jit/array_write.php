<?php
// Writes to a list that only the variable holds: in place, with a check for room.
function fill(int $n) {
    $a = [];
    for ($i = 0; $i < $n; $i++) {
        $a[] = $i;
        $a[0] = $i;
    }
    return $a;
}
fill(9);
