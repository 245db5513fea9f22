<?php
// Floats that lie in the middle of two shortest texts are written as the one that ends in an even digit.
foreach ([0.50003814697265625, 1.50003814697265625, 2 ** -26 + 2 ** -3, 4503599627370497.5, 2251799813685248.25, 9007199254740993 * 8.0] as $float) {
    echo json_encode($float), ' ', var_export($float, true), ' ', serialize($float), "\n";
}
mt_srand(5);
$text = '';
for ($count = 0; $count < 5000; $count++) {
    $text .= json_encode(mt_rand(0, 1 << 30) / (1 << mt_rand(5, 30)) + mt_rand(0, 3) / (1 << mt_rand(1, 26))) . "\n";
}
echo md5($text), "\n";
