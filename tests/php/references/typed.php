<?php
// A reference to a typed property keeps its type.
class T { public int $i = 1; public ?string $s = null; public int|float $n = 1; public array $a = []; }
$t = new T;
$r = &$t->i;
$r = '42';
var_dump($t->i);
foreach ([fn() => $r = 'no number', function () use (&$r) { $r = []; }] as $k => $f) {
    try {
        $f();
        echo "only a copy\n";
    } catch (TypeError $e) {
        echo $e->getMessage(), "\n";
    }
}
$max = new T;
$max->i = PHP_INT_MAX;
$m = &$max->i;
try {
    $m++;
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
function set(&$x) { $x = 'text'; }
try {
    set($t->i);
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
$t->a[] = 1;
$ar = &$t->a;
try {
    $ar = 'x';
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
unset($t->i);
$r = 'free now';
echo $r, count($t->a), "\n";
