<?php
function moves($a, $b) {
    $c = $a;
    $d = $e = $b;
    unset($c);
    $f = @$d['k'];
    $a ?? $b;
    f()->x ?? 1;
    [$g, [$h]] = f();
    $i = isset($a);
    $j = empty($a);
    return [$a, $a++, $b => $a];
}
