<?php
// Elements that are not there, or that have nothing in them, are false.
$x = simplexml_load_string('<a><b/><c>0</c><d x="1"/><e> </e><f><g/></f></a>');
foreach (['b', 'c', 'd', 'e', 'f', 'absent'] as $name) {
    echo $name, ' ', json_encode([(bool) $x->$name, $x->$name ? 1 : 0, !$x->$name, empty($x->$name), isset($x->$name), $x->$name && true]), "\n";
    if ($x->$name) {
        echo "yes\n";
    }
    while (!$x->$name) {
        echo "no\n";
        break;
    }
}
var_dump((bool) $x, (bool) simplexml_load_string('<a/>'), (bool) $x->d['x'], (bool) $x->d['y'], (bool) $x->d->attributes());
var_dump(array_filter([$x->b, $x->c, $x->absent], fn($e) => $e) !== []);
var_dump((bool) new BcMath\Number('0'), (bool) new BcMath\Number('0.00'), (bool) new BcMath\Number('0.10'));
