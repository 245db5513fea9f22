<?php
// Conway's game on a set of keys.
function step(array $alive): array
{
    $near = [];
    foreach ($alive as $key => $_) {
        [$x, $y] = explode(',', $key);
        for ($dx = -1; $dx <= 1; $dx++) { for ($dy = -1; $dy <= 1; $dy++) { if ($dx || $dy) { $k = ($x + $dx) . ',' . ($y + $dy); $near[$k] = ($near[$k] ?? 0) + 1; } } }
    }
    return array_filter($near, fn($n, $k) => $n === 3 || $n === 2 && isset($alive[$k]), ARRAY_FILTER_USE_BOTH);
}
$cells = array_fill_keys(['1,0', '2,1', '0,2', '1,2', '2,2'], 1);
for ($g = 0; $g < 5; $g++) {
    for ($y = 0; $y < 6; $y++) { for ($x = 0; $x < 6; $x++) { echo isset($cells["$x,$y"]) ? '#' : '.'; } echo "\n"; }
    echo "--\n";
    $cells = step($cells);
}
