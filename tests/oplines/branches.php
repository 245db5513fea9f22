<?php
function branches($a, $b, $c = [1]) {
    if ($a) {
        echo 1;
    }
    while (!$b) {
        $b = $a && $c;
    }
    for ($i = 0; $i < 10; $i++) {
        if ($i == $a || $i === $b) {
            continue;
        }
        echo $i;
    }
    switch ($a) {
        case 1:
            return 'one';
        case 2:
            return 'two';
        case 3:
            return 'three';
    }
    $d = match ($b) {
        'x', 'y' => 1,
        'z' => 2,
        default => 3,
    };
    $e = $a?->b;
    return $c[1] ?? $d ?: $e;
}
