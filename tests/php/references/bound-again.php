<?php
// An element, property or variable that is bound once more leaves its old reference as it was.
function show(...$values) { echo json_encode($values), "\n"; }
function elements() {
    $a = ['k' => 'v', 7];
    $m = null;
    for ($i = 0; $i < 4; $i++) {
        $a['q'] = &$m;
        $copy = $a;
        $copy['q'] = $i;
        show($a, $m, $copy);
        unset($m);
    }
}
elements();
function old_reference_stays() {
    $x = 1; $y = 2;
    $a = ['e' => ['f' => &$x]];
    $a['e']['f'] = &$y;
    $a['e']['f'] = 3;
    show($x, $y, $a);
    $o = new stdClass;
    $o->p = &$x;
    $o->p = &$y;
    $o->p = 4;
    show($x, $y, $o);
    $o->list['z'] = &$x;
    $o->list['z'] = &$y;
    $o->list['z']++;
    show($x, $y, $o);
}
old_reference_stays();
