<?php
// Scales beyond 65,535 digits, and numbers with many zeros at the end.
foreach ([65535, 65536, 70000] as $scale) {
    foreach (['bcadd', 'bcsub', 'bcmul', 'bcdiv', 'bcmod', 'bcpow'] as $function) {
        $text = $function('-1.5', '4', $scale);
        echo $function, ' ', strlen($text), ' ', md5($text), ' ', substr($text, 0, 12), "\n";
    }
    echo strlen(bcsqrt('2', $scale)), ' ', bccomp('1.' . str_repeat('0', $scale) . '1', '1', $scale), ' ';
    echo bccomp('1.' . str_repeat('0', $scale - 1) . '1', '1', $scale), ' ', bccomp('2', '1', PHP_INT_MAX >> 33), "\n";
}
$number = new BcMath\Number('0.' . str_repeat('0', 70000) . '5');
echo strlen((string)$number), ' ', $number->scale, ' ', strlen((string)($number + 1)), "\n";
var_dump(bcadd('0.05', '-0.06', 5), bcsub('100', '0.00100', 6), bcmul('10.50', '2.00', 4), bcadd('-0.4', '0', 0), bcdiv('100', '8', 10));
