<?php
// Builtin functions that pass named arguments on say so in their declarations.
function show(...$args) { return json_encode($args); }
class Shown { public $args; function __construct(...$args) { $this->args = $args; } function m(...$args) { return show(...$args); } }
echo call_user_func('show', 1, a: 2), "\n";
echo (function (...$args) { return show(...$args); })->call(new stdClass, 1, b: 2), "\n";
echo (new ReflectionFunction('show'))->invoke(1, c: 2), "\n";
echo (new ReflectionMethod('Shown', 'm'))->invoke(new Shown, 1, d: 2), "\n";
echo json_encode((new ReflectionClass('Shown'))->newInstance(1, e: 2)), "\n";
(new Fiber(function (...$args) { echo show(...$args), "\n"; }))->start(1, f: 2);
foreach (['var_dump', 'array_merge', 'max', 'sprintf', 'forward_static_call'] as $function) {
    try {
        $function('show', other: 1);
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
echo count((new ReflectionParameter('call_user_func', 1))->getAttributes()), "\n", new ReflectionFunction('array_udiff_uassoc');
