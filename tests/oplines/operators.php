<?php
function operators($a, $b) {
    $c = $a + $b . 'x';
    $c .= $a;
    $d = $c *= 2;
    $a++;
    $e = --$a;
    $f = !$a;
    $g = (int) $b;
    $h = "$a-$b-$c";
    $i = $a <=> $b;
    $j = $a instanceof Countable;
    $k = is_string($a);
    echo $a, 'text';
    print $b;
    $l = (array) $a;
    $m = [1, $a, 'k' => $b];
    $m[] = -$a;
    return [...$m, $a];
}
