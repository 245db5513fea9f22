<?php
// Limits, bases, bit operations and conversions.
var_dump(PHP_INT_MAX, PHP_INT_MIN, PHP_INT_SIZE, 0x7FFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF, 0b1111, 0o777, 0777, 1_000);
var_dump(9223372036854775807, 9223372036854775808, -9223372036854775808, -9223372036854775807 - 1);
var_dump(PHP_INT_MAX + 1, PHP_INT_MAX * PHP_INT_MAX, PHP_INT_MIN * -1, -PHP_INT_MIN, abs(PHP_INT_MIN), PHP_INT_MAX % 2, intdiv(-7, 2), -7 % 2, 7 <=> 7.0);
var_dump((int) 1e18, (int) '0x10', (int) ' 12 ', (int) '-', (int) 1.9999, (int) -0.5, round(-0.4), 10 ** 18, 10 ** 19, 2 ** 62 + 2 ** 62 - 1);
var_dump(1 <=> 2, 5 % -3, -5 % 3, fdiv(1, 0), fdiv(-1, 0), is_nan(fdiv(0, 0)), 0.1 + 0.2 <=> 0.3, 1e3 === 1000.0, 7.0 / 2, 6 / 3, '6' / '3', 8 % 3.7);
var_dump(max(1, 2.5, '3'), min([4, 2]), array_sum([PHP_INT_MAX, 1]), pow(2, 0.5), sqrt(-1), log(M_E), pi(), hypot(3, 4), deg2rad(180), number_format(2 ** 53), bin2hex(pack('J', 258)));
