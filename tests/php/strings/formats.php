<?php
// printf's directives over numbers and strings.
foreach (['%d', '%5d', '%-5d|', '%05d', '%+d', '%u', '%x', '%X', '%o', '%b', '%c', '%e', '%.2e', '%E', '%f', '%.1f', '%F', '%g', '%G', '%.3g',
    '%s', '%10s', '%-10s|', "%'*10s", '%.2s', '%08.3f', '%+.1f', '%%'] as $format) {
    foreach ([0, 42, -42, 3.14159, -0.0, 1e20, 1.5e-7, "12abc", true, null] as $value) {
        echo $format, " ", sprintf($format, $value), "\n";
    }
}
foreach ([['%2$s %1$s', 'a', 'b'], ['%d'], ['%z', 1], ['%0$s', 1], ['%', 1], ['%*d', 5, 42], ["%'", 1]] as $arguments) {
    try {
        echo sprintf(...$arguments), "\n";
    } catch (Throwable $e) {
        echo get_class($e), ": ", $e->getMessage(), "\n";
    }
}
foreach ([0, 0.5, -0.4, 1234.5678, -1234567.891, 1e15, 123456789] as $number) {
    foreach ([0, 2, -2] as $decimals) {
        echo number_format($number, $decimals), " ", number_format($number, $decimals, ',', '.'), "\n";
    }
}
