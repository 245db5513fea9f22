<?php
// Unary operators, increments and casts over values of all types.
set_error_handler(function ($level, $message) {
    echo "[$message] ";
    return true;
});
$values = [
    null, true, false, 0, -7, PHP_INT_MAX, PHP_INT_MIN, 1.5, -0.0, 1e20, NAN, INF, "", "abc", "Zz9", "a-z", " 12", "12 ", "1e3",
    "5x", "1e1000", "9223372036854775807", [], [1, 'k' => 2], new stdClass, fn() => 1,
];
$operators = [
    '-' => fn($a) => -$a, '~' => fn($a) => ~$a, '!' => fn($a) => !$a, '++' => function ($a) { $a++; return $a; },
    '--' => function ($a) { --$a; return $a; }, 'int' => fn($a) => (int) $a, 'float' => fn($a) => (float) $a,
    'string' => fn($a) => (string) $a, 'bool' => fn($a) => (bool) $a, 'array' => fn($a) => count((array) $a),
    'offset' => function ($a) { $array = []; $array[$a] = 1; return key($array); },
    'unset' => function ($a) { $array = []; unset($array[$a]); },
    'type' => fn($a) => gettype($a) . " " . get_debug_type($a),
];
foreach ($operators as $name => $operator) {
    foreach ($values as $index => $value) {
        echo "$name $index: ";
        try {
            var_dump($operator($value));
        } catch (Throwable $e) {
            echo get_class($e), ": ", $e->getMessage(), "\n";
        }
    }
}
