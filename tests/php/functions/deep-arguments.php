<?php
// Arguments that are thousands of levels deep, or many: code whose preparation could take time by the square of it.

namespace Deep;

function last(...$values) { return $values[count($values) - 1] ?? 'none'; }

class Box {
    function __construct(public $inner = null) {}
    function last($first, $last) { return $last; }
}

$x = 1;
$box = new Box;
$nested = [
    'min($x, ' => 1500,
    'last($x + 1, ' => 1500,
    '$box->last($x, ' => 1000,
    'last(...[' => 1000,
    'unknown($x, ' => 1000,
];
foreach ($nested as $opening => $levels) {
    $closing = str_contains($opening, '[') ? '])' : ')';
    try {
        $value = eval('namespace Deep; return ' . str_repeat($opening, $levels) . '$x' . str_repeat($closing, $levels) . ';');
        echo $opening, ' ', json_encode($value), "\n";
    } catch (\Error $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}

$boxes = eval('namespace Deep; return ' . str_repeat('new Box(', 1000) . str_repeat(')', 1000) . ';');
for ($depth = 0; $boxes; $depth++) {
    $boxes = $boxes->inner;
}
echo "$depth boxes\n";

echo eval('namespace Deep; return last(' . str_repeat('$x ? 1 : 2, ', 20000) . '3);'), "\n";
echo strlen(eval('return "' . str_repeat('$x b {$x}\n', 20000) . '";')), "\n";
eval(str_repeat('if ($x == 1) { \Deep\last(1); } else { \Deep\last(2); } ', 20000));
