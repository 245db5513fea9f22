<?php
$functions = ['array_diff', 'array_diff_key', 'array_diff_assoc', 'array_diff_ukey', 'array_udiff', 'array_diff_uassoc', 'array_udiff_assoc',
    'array_udiff_uassoc', 'array_intersect', 'array_intersect_key', 'array_intersect_ukey', 'array_uintersect', 'array_intersect_assoc',
    'array_intersect_uassoc', 'array_uintersect_assoc', 'array_uintersect_uassoc'];
$calls = [[], [[1]], ['x'], [[1], [1]], [[1], 'x'], [1, 2], [[1], 'strcmp'], ['strcmp'], [[1], [2], 'strcmp'], [[1], [2], 'strcmp', 'strcmp'],
    [[1], 2, 'strcmp', 'strcmp'], [[1], [2], 3, 4], [[1], [2], 3, 'strcmp'], [[1], [2], [4], 'nope'], ['strcmp', 'strcmp', 'strcmp'], [[1], '::1']];
foreach ($functions as $function) {
    foreach ($calls as $number => $args) {
        try {
            echo "$function $number ", json_encode($function(...$args)), "\n";
        } catch (Throwable $e) {
            echo "$function $number ", get_class($e), ': ', $e->getMessage(), "\n";
        }
    }
    echo (new ReflectionFunction($function))->getNumberOfRequiredParameters(), "\n";
}
// A single value is converted before there is anything to compare it with.
try {
    var_dump(array_diff([new stdClass]));
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
