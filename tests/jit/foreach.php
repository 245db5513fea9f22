<?php
// Elements of a list: one guard of the layout before the loop, one of the type for each element.
function total(array $list) {
    $s = 0.5;
    foreach ($list as $x) {
        $s += $x;
    }
    return $s;
}
total([1.5, 2.5, 3.5]);
