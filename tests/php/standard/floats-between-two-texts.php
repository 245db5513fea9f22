<?php
// Floats that lie in the middle of two shortest texts: the one that ends in an even digit.
foreach ([2 ** -25, 2 ** -24, 3 * 2.0 ** -26, 5 * 2.0 ** -27, 1 / 33554432, 1.5 * 2.0 ** -40, 2.0 ** 70, 0.1 + 0.2] as $float) {
    var_dump($float, -$float);
    echo json_encode($float), ' ', var_export($float, true), ' ', serialize($float), "\n";
}
