<?php
// Decimals beyond the five hundredth are zeros.
foreach ([1e300, 0.1, 1 / 3, 1.5e-8, 12] as $value) {
    foreach ([499, 500, 501, 700, 2006] as $decimals) {
        $text = number_format($value, $decimals, '', ' ');
        echo strlen($text), ' ', substr($text, 0, 60), ' ', md5($text), "\n";
    }
}
