<?php
// Reading what is not there: warnings with exact words, and null.
function probe()
{
    var_dump($local);
    $a = ['k' => 1];
    var_dump($a['missing'], $a[5], "abc"[10] ?? 'quiet');
    $s = 'abc';
    var_dump($s[-1], $s[5]);
    $n = null;
    var_dump($n['x'], $n->prop, (5)['x']);
    $o = new stdClass;
    var_dump($o->nope);
    var_dump(isset($a['k'], $o->x), empty($a['missing']['deep']), isset($s[1]), isset($s['x']));
}
probe();
try {
    $s = 'abc';
    echo $s['x'];
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
try {
    null->method();
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
try {
    undefined_function();
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
try {
    new UnknownClass;
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
