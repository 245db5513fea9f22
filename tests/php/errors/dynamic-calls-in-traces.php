<?php
//: ini zend.exception_ignore_args=1
function attempt(callable $call): void
{
    try {
        $call();
    } catch (Error $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n", $error->getTraceAsString(), "\n";
    }
}

attempt(fn() => array_map('func_get_arg', [1]));
attempt(fn() => array_map('func_num_args', [1]));

const SPREAD = [...[1, 2], ...['a' => 3]];
var_dump(SPREAD);
attempt(function () {

    var_dump(Spread::WRONG);
});

class Spread
{
    const ITERATOR = Suit::Hearts;
    const WRONG = [...self::ITERATOR];
}

enum Suit
{
    case Hearts;
}

$object = unserialize('O:7:"Unknown":1:{s:1:"p";i:1;}');
attempt(fn() => $object->method());
attempt(fn() => $object->p .= 'x');
attempt(fn() => $object->p++);
