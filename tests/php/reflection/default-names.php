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

class Q
{
    const Z = 1;

    function m($a = Q::Z, $b = self::Z, $c = [Q::Z, E_ALL], $d = F::Z . 'a', $e = new Q(1), $f = \PHP_INT_SIZE . PHP_EOL, $g = Q::class, $h = namespace\FOO) {}
}

foreach ((new \ReflectionMethod('A\B\Q', 'm'))->getParameters() as $parameter) {
    echo $parameter, "\n";
}
