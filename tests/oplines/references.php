<?php
function &references(&$a, $b) {
    static $n = 0;
    static $m = [f()];
    global $g;
    $r = &$a['k'];
    $s = &$b;
    $b['x'] = &$a;
    $t = $u = &$r;
    $a->p = &$g;
    f($a['k'], $b->p, $b);
    [$x, &$y] = $b;
    return $a;
}
