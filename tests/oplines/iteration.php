<?php
function iteration($a, $b) {
    foreach ($a as $v) {
        echo $v;
    }
    foreach ($b as $k => [$x, $y]) {
        if ($x) {
            break;
        }
    }
    foreach ($a as $k => &$r) {
        $r = 1;
        if ($k) {
            return $k;
        }
    }
}

function generator($a) {
    $x = yield;
    yield $a;
    $y = yield 'k' => $x;
    $z = yield from $a;
    return $z;
}
