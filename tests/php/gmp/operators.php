<?php
// Operators, comparisons, casts and texts of GMP numbers.
error_reporting(E_ALL);
set_error_handler(function (int $level, string $text) { echo $level, ': ', $text, "\n"; return true; });
function attempt(string $what, callable $of) {
    echo "$what: ";
    try { $value = $of(); echo $value instanceof GMP ? "GMP($value)" : var_export($value, true), "\n"; } catch (Throwable $error) { echo get_class($error), ': ', $error->getMessage(), "\n"; }
}
$a = gmp_init('123456789012345678901234567890');
$values = ['a' => $a, '-7' => gmp_init(-7), '3' => 3, "'5'" => '5', "'x'" => 'x', "''" => '', '1.0' => 1.0, '1.5' => 1.5, '1e30' => 1e30, 'true' => true, 'null' => null, '[]' => [], '0' => 0];
foreach ($values as $name => $value) {
    attempt("a + $name", fn() => $a + $value);
    attempt("$name - a", fn() => $value - $a);
    attempt("a * $name", fn() => $a * $value);
    attempt("a / $name", fn() => $a / $value);
    attempt("a % $name", fn() => $a % $value);
    attempt("a & $name", fn() => $a & $value);
    attempt("$name | a", fn() => $value | $a);
    attempt("a ^ $name", fn() => $a ^ $value);
    if ($name !== 'a' && $name !== '1e30') {
        attempt("a ** $name", fn() => $a ** $value);
        attempt("a << $name", fn() => $a << $value);
        attempt("a >> $name", fn() => $a >> $value);
    }
    attempt("a <=> $name", fn() => ($a <=> $value) <=> 0);
    attempt("$name == a", fn() => $value == $a);
}
attempt('2 ** 100', fn() => 2 ** gmp_init(100));
attempt('1 << 70', fn() => 1 << gmp_init(70));
attempt('~a', fn() => ~$a);
attempt('-a', fn() => -$a);
attempt('+a', fn() => +$a);
$b = $a;
$b++;
attempt('b++', fn() => $b);
$b--;
$b -= 5;
attempt('b', fn() => $b);
attempt('a', fn() => $a);
attempt('text', fn() => "a is $a");
attempt('casts', fn() => [(int)$a, (float)$a, (bool)$a, (bool)gmp_init(0), (int)gmp_init('-9223372036854775809'), (float)gmp_init('9007199254740993')]);
attempt('intdiv', fn() => intdiv(gmp_init(7), 2));
attempt('max', fn() => max($a, 5, gmp_init('-1')));
attempt('sum', fn() => array_sum([gmp_init(1), 2, gmp_init('3')]));
attempt('sorted', function () { $list = [gmp_init(3), gmp_init(-1), gmp_init('20')]; sort($list); return implode(' ', $list); });
var_dump($a, clone $a == $a, clone $a === $a, (array)gmp_init(5), gmp_init(1) == gmp_init(2));
print_r($a);
var_export(gmp_init(-3));
echo json_encode(gmp_init(5)), "\n", serialize(gmp_init(-255)), "\n";
var_dump(unserialize('O:3:"GMP":1:{i:0;s:3:"-ff";}'), unserialize('C:3:"GMP":15:{s:2:"42";a:0:{}}'));
foreach (['C:3:"GMP":0:{}', 'C:3:"GMP":9:{s:2:"42";}', 'O:3:"GMP":0:{}', 'O:3:"GMP":1:{i:0;i:0;}', 'O:3:"GMP":1:{i:0;s:1:"z";}', 'O:3:"GMP":2:{i:0;s:1:"1";i:1;i:0;}', 'O:3:"GMP":2:{i:0;s:1:"1";i:1;a:1:{s:1:"p";i:2;}}'] as $text) {
    attempt($text, fn() => serialize(unserialize($text)));
}
attempt('new', fn() => new GMP('0x1F'));
attempt('new in base 7', fn() => new GMP('66', 7));
attempt('new of nothing', fn() => new GMP());
attempt('new of no number', fn() => new GMP('12z'));
attempt('new in base 99', fn() => new GMP('1', 99));
