<?php
// What is least and greatest where NAN and equal values of other types are among them.
$values = ['NAN' => NAN, '0' => 0, '1.5' => 1.5, '"abc"' => 'abc', '"1e2"' => '1e2', 'true' => true, 'null' => null,
    '[]' => [], 'large' => 9007199254740993, 'float' => 9007199254740992.0, '0.0' => 0.0, '-0.0' => -0.0, '"0"' => '0'];
foreach ($values as $one => $x) {
    foreach ($values as $two => $y) {
        echo "$one, $two:";
        foreach ([min($x, $y), max($x, $y), min([$x, $y]), max([$x, $y]), min($x, $y, 5), max($x, $y, 0.5), min(2, $x, $y), max(-1.5, $x, $y)] as $found) {
            echo ' ', json_encode($found, JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION), is_float($found) && is_nan($found) ? 'N' : '';
        }
        echo "\n";
    }
}
