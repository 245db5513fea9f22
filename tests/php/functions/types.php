<?php
// Coercion in weak mode and the words of type errors.
function i(int $x) { return $x; }
function fl(float $x) { return $x; }
function s(string $x) { return $x; }
function b(bool $x) { return $x; }
function u(int|float $x) { return $x; }
function n(?array $x) { return $x; }
function it(iterable $x) { return 'iterable'; }
function ca(callable $x) { return 'callable'; }
function o(object $x) { return get_class($x); }
$calls = [
    ['i', '5'], ['i', 5.0], ['i', 5.5], ['i', 'x'], ['i', true], ['i', null], ['i', '5.0'], ['i', 1e30], ['i', []],
    ['fl', 5], ['fl', '1.5'], ['fl', 'abc'], ['s', 5], ['s', 1.5], ['s', true], ['s', []], ['s', null],
    ['b', 1], ['b', ''], ['b', 'a'], ['b', []], ['u', '5'], ['u', '5.5'], ['u', '1e2'], ['n', null], ['n', 1],
    ['it', [1]], ['it', 1], ['ca', 'strlen'], ['ca', 'no such'], ['o', new stdClass], ['o', 'stdClass'],
];
foreach ($calls as [$f, $argument]) {
    echo $f, ' ', json_encode($argument), ' ';
    try {
        var_dump($f($argument));
    } catch (TypeError $e) {
        echo preg_replace('~, called in.*~', '', $e->getMessage()), "\n";
    }
}
