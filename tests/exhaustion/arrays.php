<?php
// Lists that begin, that lose an element and so their layout, that grow in place; tables of all kinds of keys.
$kept = [];
for ($i = 0; $i < 40; $i++) {
    $a = [];
    $a[] = $i;
    $b = [1, 2, 3, $i];
    unset($b[1]);
    $c = [1.5, $i / 2];
    unset($c[0]);
    $c['k'] = "v$i";
    $d = [true, false];
    unset($d[$i & 1]);
    $o = new stdClass;
    $o->list = [$i, 2, 3];
    unset($o->list[1]);
    $o->list[] = $i;
    $o->map["a$i"]['b'][] = $i;
    [$x, $y] = [$i, [$i]];
    $a[0] = $b;
    $a[5]["n$i"] = $c + $d;
    $kept[] = [$a, $b, $c, $d, $o, $x, $y, ...$b];
}
echo count($kept), "\n";
