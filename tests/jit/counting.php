<?php
// A loop over integers: the counter and the sum stay in registers, an overflow leaves by a side exit.
function sum($n) {
    $s = 0;
    for ($i = 0; $i < $n; $i++) {
        $s += $i;
    }
    return $s;
}
sum(10);
