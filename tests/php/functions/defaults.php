<?php
//: source-only Default values: constants, expressions, earlier statics, new, and errors for missing arguments.
const BASE = 10;
class Opt { public function __construct(public int $n = BASE * 2) {} }
function f($a, $b = BASE, $c = [1, BASE => 'x'], ?Opt $o = new Opt, $d = PHP_INT_SIZE * 2 . 'b', ...$rest)
{
    return json_encode([$a, $b, $c, $o, $d, $rest]) . func_num_args();
}
echo f(1), "\n", f(1, 2, [], null, 'd', 5, 6), "\n";
try {
    f();
} catch (ArgumentCountError $e) {
    echo preg_replace('~ in .*? on~', ' on', $e->getMessage()), "\n";
}
try {
    strlen();
} catch (ArgumentCountError $e) {
    echo $e->getMessage(), "\n";
}
try {
    strlen('a', 'b');
} catch (ArgumentCountError $e) {
    echo $e->getMessage(), "\n";
}
function order($first = 1, $second) { return $first . $second; }
echo order(5, 6), "\n";
function nullable(?int $x, int|string|null $y = null) { var_dump($x, $y); }
nullable(null);
