<?php
// A property of a variable that is not there is gone already; elements, and ways further in, read the variable.
function f() {
    unset($a->p);
    $name = 'q';
    unset($a->$name);
    unset($b['x']);
    unset($c->p->q);
    unset($d->p['x']);
    unset($e['x']->p);
    var_dump(isset($a), isset($c));
}
f();
f();
unset($global->p);
$null = null;
unset($null->p);
try {
    $number = 1;
    unset($number->p);
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
