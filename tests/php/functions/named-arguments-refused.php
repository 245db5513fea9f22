<?php
class Nothing {}
function plain($a, $b = 2) {}
function tries(array $calls) {
    foreach ($calls as $call) {
        try { var_dump($call()); } catch (Error $e) {
            echo get_class($e), ': ', $e->getMessage(), ' ', count($e->getTrace()), "\n";
        }
    }
}
$closure = fn($a) => $a;
tries([
    fn() => new Nothing(x: 1),
    fn() => new stdClass(...['x' => 1]),
    fn() => plain(c: 1),
    fn() => plain(1, a: 2),
    fn() => plain(...[1, 'a' => 2]),
    fn() => plain(b: 1),
    fn() => $closure(b: 1),
    fn() => strlen(text: 'x'),
    fn() => strlen('x', string: 'y'),
    fn() => array_merge([1], a: [2]),
    fn() => max(1, 2, x: 3),
    fn() => call_user_func('plain', c: 1),
    fn() => array_keys([], strict: true),
    fn() => array_keys(strict: true),
    fn() => array_keys([1, 2], filter_value: 2, strict: true),
    fn() => call_user_func(fn(...$all) => $all, 1, x: 2),
    fn() => (new ReflectionFunction('plain'))->invoke(1, z: 2),
    fn() => forward_static_call_array('strtoupper', ['x']),
]);
