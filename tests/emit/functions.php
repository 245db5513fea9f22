<?php
function typed(int $a, ?C $b = null, string|int $c = X . 'y', &...$rest): ?string {
    static $n = 0, $made = new C;
    return $a;
}

function &reference(&$a) {
    return $a;
}

function nothing(): void {
    return;
}

function no_return(): never {
    exit;
}

function generator() {
    $sent = yield 1;
    yield 'k' => $sent;
    yield from [1, 2];
    return 3;
}

function &refs(array &$a) {
    yield $a[0];
}

$by = 2;
$closure = function ($a) use ($by, &$ref) {
    return fn($b) => $a + $b + $by;
};
if ($x) {
    function conditional() {}
}
