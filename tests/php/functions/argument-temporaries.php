<?php
// What a by-reference parameter makes of elements and properties of values that are in no variable: known only at run time, the
// callee decides.

class X {
    public $p = 1;
    public $q = ['k' => 1];
    const A = [1, [2]];
    function __get($name) { return 5; }
}
const C = [1, [2]];
$x = new X;
$a = [1, [2]];
function g() { return [1, [2]]; }
function o() { global $x; return $x; }

function show(callable $body): void {
    try {
        $body();
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}

foreach ([function (&$r) { echo json_encode($r), "\n"; $r = 9; }, function ($r) { echo json_encode($r), "\n"; }] as $f) {
    show(fn() => $f((new X)->p));
    show(fn() => $f((new X)->q['k']));
    show(fn() => $f((clone $x)->p));
    show(fn() => $f(($a = [1])[0]));
    show(fn() => $f("abc"[0]));
    show(fn() => $f([1, [2]][1][0]));
    show(fn() => $f([$x, [2]][0]));
    show(fn() => $f([$x, [2]][0]->p));
    show(fn() => $f(C[0]));
    show(fn() => $f(C[1][0]));
    show(fn() => $f(X::A[0]));
    show(fn() => $f((1 ? $a : $x)[0]));
    show(fn() => $f(g()[0]));
    show(fn() => $f(o()->p));
    o()->p = 1;
    show(fn() => $f(strrev("abc")[0]));
    show(fn() => $f(strlen("abc")[0]));
    show(fn() => $f(((array)$x)['p']));
    show(fn() => $f((match (1) { 1 => $a })[0]));
    show(fn() => $f((new X)->undefined));
    show(fn() => $f((eval('return [1];'))[0]));
}

class Own extends ArrayObject {
    function pass($f) {
        $f($this['x']);
        echo json_encode($this['x']), "\n";
    }
}
(new Own(['x' => 1]))->pass(function (&$r) { $r++; });
