<?php
// A string that grows in a loop: appended to in place.
function repeat(int $n) {
    $s = '';
    for ($i = 0; $i < $n; $i++) {
        $s .= 'x';
    }
    return $s;
}
repeat(9);
