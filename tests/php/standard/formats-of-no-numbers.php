<?php
// Widths, paddings and signs are not for NaN and infinity.
foreach ([NAN, INF, -INF] as $value) {
    printf("%10.3f|%-10.1f|%020.5f|%+.1f|%10.4e|%'*12g|%10s|%5d\n", $value, $value, $value, $value, $value, $value, $value, $value);
    echo number_format($value), ' ', number_format($value, 2), ' ', number_format($value, -2), "\n";
}
