<?php
// Shortest form for var_dump and json, precision for echo.
foreach ([0.1, 1/3, 1e15, 1e14, 123456789012345678.0, 1e-5, 0.0001, 1.0, -0.0, 100000000000000000000.0, 2.5e-10, NAN, INF, -INF, 0.1 + 0.2] as $f) {
    echo $f, ' ';
    var_dump($f);
}
var_dump(round(2.5), round(-2.5), round(1234.5678, -2), round(1.955, 2), floor(-1.5), ceil(-1.5), fmod(7.5, 2), 1.5 <=> 1.5);
echo number_format(1234567.891, 2), number_format(0.5), number_format(-1234.567, 2, ',', '.'), "\n";
printf("%.3f %5.1f|%-8.2f|%08.3f %e %g %G\n", 3.14159, 2.25, 1.5, -2.5, 12345.678, 0.00001234, 1e20);
ini_set('precision', 5);
echo 1/3, ' ', 1e10, "\n";
ini_set('serialize_precision', 5);
var_dump(1/3);
echo json_encode(1/3), "\n";
