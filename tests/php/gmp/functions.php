<?php
// The functions: results over many numbers, and what they refuse.
error_reporting(E_ALL);
set_error_handler(function (int $level, string $text) { echo $level, ': ', $text, "\n"; return true; });
function show(mixed $value): string {
    return match (true) { $value instanceof GMP => (string)$value, is_array($value) => '[' . implode(' ', array_map(fn($k, $v) => "$k=" . show($v), array_keys($value), $value)) . ']', default => var_export($value, true) };
}
function attempt(string $function, ...$arguments) {
    $shown = implode(', ', array_map(fn($argument) => is_object($argument) ? "GMP $argument" : (is_string($argument) && strlen($argument) > 60 ? md5($argument) : var_export($argument, true)), $arguments));
    try { $result = show($function(...$arguments)); } catch (Throwable $error) { $result = get_class($error) . ': ' . $error->getMessage(); }
    echo "$function($shown) = ", strlen($result) > 200 ? strlen($result) . ' ' . md5($result) : $result, "\n";
}
$large = ['0', '1', '-1', '2', '-8', '36', '97', '-1000', '18446744073709551557', '170141183460469231731687303715884105727', '-340282366920938463463374607431768211456', '1000000007000000000000000000000000000021'];
foreach (['gmp_neg', 'gmp_abs', 'gmp_com', 'gmp_sign', 'gmp_popcount', 'gmp_intval', 'gmp_perfect_square', 'gmp_perfect_power', 'gmp_prob_prime', 'gmp_sqrt', 'gmp_sqrtrem', 'gmp_nextprime'] as $function) {
    foreach ($large as $number) attempt($function, $number);
}
foreach (['gmp_add', 'gmp_sub', 'gmp_mul', 'gmp_mod', 'gmp_gcd', 'gmp_lcm', 'gmp_gcdext', 'gmp_invert', 'gmp_jacobi', 'gmp_legendre', 'gmp_kronecker', 'gmp_cmp', 'gmp_and', 'gmp_or', 'gmp_xor', 'gmp_hamdist'] as $function) {
    foreach ($large as $one) foreach (['0', '1', '-3', '10', '12', '-36', '97', '170141183460469231731687303715884105727'] as $two) attempt($function, $one, $two);
}
foreach (['7', '-7', '100000000000000000000001'] as $one) foreach (['2', '-2', '0', '33333333333333333333'] as $two) foreach ([GMP_ROUND_ZERO, GMP_ROUND_PLUSINF, GMP_ROUND_MINUSINF, 5] as $mode) {
    foreach (['gmp_div_q', 'gmp_div_r', 'gmp_div_qr'] as $function) attempt($function, $one, $two, $mode);
}
attempt('gmp_divexact', '1000000000000000000000', '125');
foreach ([0, 1, 5, 20, 100, '30', -1, 'x', 3.0] as $number) attempt('gmp_fact', $number);
foreach ([[5, 2], [10, 0], [3, 5], ['-3', 4], ['100000000000000000000', 3], [100, 50], [4, -1]] as $arguments) attempt('gmp_binomial', ...$arguments);
foreach ([[2, 100], ['-3', 5], [0, 0], [10, -1], ['x', 2], [1, PHP_INT_MAX], [-1, PHP_INT_MAX]] as $arguments) attempt('gmp_pow', ...$arguments);
foreach ([[3, 200, 13], ['-3', '201', '13'], [3, 5, -13], [2, '1000000000000000000', '1000000007'], [2, -1, 5], [2, 2, 0], [5, 0, 1]] as $arguments) attempt('gmp_powm', ...$arguments);
foreach ([[27, 3], [-27, 3], [28, 3], [-16, 4], [16, 0], ['1000000000000000000000', 7], [5, 1], [5, 100], [0, 3]] as $arguments) { attempt('gmp_root', ...$arguments); attempt('gmp_rootrem', ...$arguments); }
foreach ([[0, 0], [5, 1], [-1, 3], [8, 0], [-8, 2], ['36893488147419103231', 3], [5, -1]] as $arguments) { attempt('gmp_scan0', ...$arguments); attempt('gmp_scan1', ...$arguments); attempt('gmp_testbit', ...$arguments); }
$bits = gmp_init(0);
foreach ([[5], [100], [5, false], [3, true]] as $arguments) { gmp_setbit($bits, ...$arguments); echo $bits, "\n"; }
gmp_clrbit($bits, 100);
echo $bits, "\n";
attempt('gmp_setbit', gmp_init(1), -1);
attempt('gmp_setbit', gmp_init(1), PHP_INT_MAX);
attempt('gmp_clrbit', gmp_init(1), PHP_INT_MAX);
attempt('gmp_clrbit', gmp_init(1), -1);

foreach ([['255', 16], ['-255', -16], ['123456789', 62], ['123456789', 36], ['-5', 2], ['5', 1], ['5', 63], ['5', -37]] as $arguments) attempt('gmp_strval', ...$arguments);
foreach ([['0x1f'], ['0X1F', 16], ['0b11'], ['0b11', 2], ['017'], ['0o17'], ['0o17', 8], [' 12 34 '], ['-0x10'], ['0x-10'], ['+5'], ['1.5'], [''], ['-'], ['zZ', 62], ['zZ', 36], ['19', 8], ['12', 1], ["1\0002"], [15, 16], ['08']] as $arguments) attempt('gmp_init', ...$arguments);
foreach ([null, true, 1.5, 1e30, [], new stdClass] as $value) if (!is_object($value)) attempt('gmp_abs', $value);

foreach ([[1, GMP_MSW_FIRST | GMP_NATIVE_ENDIAN], [2, GMP_LSW_FIRST | GMP_BIG_ENDIAN], [4, GMP_MSW_FIRST | GMP_LITTLE_ENDIAN], [8, GMP_LSW_FIRST | GMP_LITTLE_ENDIAN], [3, 0], [0, 0], [1, 3], [1, 12]] as [$size, $flags]) {
    try { echo $size, ' ', $flags, ' ', bin2hex($data = gmp_export('0x123456789abcdef0123', $size, $flags)), ' ', gmp_strval(gmp_import($data, $size, $flags), 16), "\n"; } catch (Throwable $error) { echo $error->getMessage(), "\n"; }
}
attempt('gmp_import', 'abc', 2);
attempt('gmp_export', 0);
attempt('gmp_export', 5, PHP_INT_MAX);
