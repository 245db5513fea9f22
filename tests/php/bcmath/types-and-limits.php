<?php
// What BcMath\Number says of arguments of other types, and of exponents that are too large.
use BcMath\Number;

function attempt(callable $do): void
{
    try {
        echo $do(), "\n";
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}

foreach ([[], new stdClass, STDIN] as $value) {
    foreach (['add', 'pow', 'compare'] as $method) {
        attempt(fn() => (new Number('5'))->$method($value));
    }
    attempt(fn() => (new Number('5'))->powmod(2, $value));
    attempt(fn() => new Number($value));
}
foreach (['-9223372036854775808', '-9223372036854775807', '9223372036854775808'] as $exponent) {
    attempt(fn() => bcpow('0', $exponent));
    attempt(fn() => bcpow('1', $exponent, 2));
    attempt(fn() => (new Number('1'))->pow($exponent));
    attempt(fn() => new Number('0') ** $exponent);
}
