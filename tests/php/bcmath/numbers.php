<?php
echo bcadd('1.234567890123456789', '9.99', 10), ' ', bcmul('-12345678901234567890', '98765432109876543210'), "\n";
echo bcdiv('1', '3', 30), ' ', bcpow('2', '-3', 5), ' ', bcsqrt('2', 40), ' ', bcmod('-7.5', '2', 1), "\n";
echo bcpowmod('123', '456', '789'), ' ', bccomp('1.0001', '1', 3), ' ', bcround('2.5'), ' ', bcfloor('-1.1'), "\n";
$half = new BcMath\Number('0.5');
var_dump($half > '0.25', (string) ($half ** 3), (string) $half->div(3, 8));
try { bcdiv('1', '0'); } catch (DivisionByZeroError $e) { echo $e->getMessage(), "\n"; }
try { bcadd('x', '1'); } catch (ValueError $e) { echo $e->getMessage(), "\n"; }
