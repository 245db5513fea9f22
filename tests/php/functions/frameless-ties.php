<?php
// Of equal values, and of those that cannot be compared, min() and max() give another one where PHP calls them without a frame.
namespace A {
function all($a, $b) {
    [$min, $max] = ['min', 'max'];
    $nested = [in_array(min($a, $b), [1.5], true), var_export(min($a, $b), true), \json_encode(min($a, $b), \JSON_PARTIAL_OUTPUT_ON_ERROR)];
    return [
        min($a, $b), max($a, $b), ...$nested, @trim(\print_r(min($a, $b), true)), @implode(',', [min($a, $b)]), @implode(',', [\min($a, $b)]), @implode(',', [max($a, $b)]),
        max(min($a, $b), -INF), $min($a, $b), $max($a, $b), array_map('min', [$a], [$b])[0], min(...[$a, $b]), (fn() => min($a, $b))(),
        @implode(',', [(fn() => min($a, $b))()]), \call_user_func('min', $a, $b), min(min($a, $b), min($a, $b)), \min(\min($a, $b), \min($a, $b)),
    ];
}
}
namespace {
function all($a, $b) {
    $nested = [in_array(min($a, $b), [1.5], true), var_export(min($a, $b), true), @implode(',', [min($a, $b)])];
    return [min($a, $b), max($a, $b), ...$nested, max(min($a, $b), -INF), min(...[$a, $b]), call_user_func('min', $a, $b), min(min($a, $b), min($a, $b))];
}
foreach ([[false, null], ['7 ', true], [1, 1.0], ['1', 1], [0.0, -0.0], [NAN, 1], [NAN, 't'], [NAN, [1]], [[1], ['a' => 1]], [[], null], [[1, 2], [1, 2.0]], [INF, NAN], [3, 4]] as [$a, $b]) {
    echo '-- ', var_export($a, true), ' and ', var_export($b, true), "\n";
    foreach (['A\all', 'all'] as $all) {
        foreach ([[$a, $b], [$b, $a]] as $pair) {
            echo json_encode(array_map(fn($value) => is_string($value) ? $value : str_replace("\n", '', var_export($value, true)), $all(...$pair))), "\n";
        }
    }
}
}
