<?php
// Defaults that are names of constants print resolved.
namespace A\B;

use const C\LIMIT;
use D\E as F;

const HERE = 1;

function f($a = HERE, $b = LIMIT, $c = F::X, $d = \PHP_INT_MAX, $e = Other::Y, $g = TRUE, $h = null) {}

foreach ((new \ReflectionFunction(__NAMESPACE__ . '\f'))->getParameters() as $parameter) {
    echo $parameter, "\n";
}

var_dump(0b1111111111111111111111111111111111111111111111111111111111111111111111);
var_dump(0o7777777777777777777777777777, 0xffffffffffffffffffffff);
