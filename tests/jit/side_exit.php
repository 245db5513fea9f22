<?php
// A branch that never ran while types were observed: a side exit, with a snapshot of the variables.
function pick($list) {
    $s = 0;
    foreach ($list as $x) {
        if ($x < 0) {
            $s .= 'negative';
        }
        $s += $x;
    }
    return $s;
}
pick([1, 2, 3, 4]);
