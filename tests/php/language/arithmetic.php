<?php
// Integers overflow to floats; integer division and remainder have their own errors.
var_dump(PHP_INT_MAX + 1, -PHP_INT_MAX - 2, PHP_INT_MAX * 2, 7 / 2, 6 / 2, 7 % 3, -7 % 3, 7 % -3);
var_dump(2 ** 10, 2 ** -1, 2 ** 63, (-2) ** 2, -2 ** 2, 0 ** 0, 2 ** 3 ** 2);
var_dump(0.1 + 0.2, 1e100, 1.5e-7, -0.0, 1 <=> 2, "a" <=> "a", [1, 2] <=> [1, 1]);
var_dump(1 + 1.0, "3" + 4, "1.5" + 1, "0x1A" == 26, 07 + 0b11 + 0xF + 0o17, 1_000_000);
foreach (['intdiv(1, 0)', '1 % 0', '1 / 0', 'intdiv(PHP_INT_MIN, -1)', '1 << -1'] as $code) {
    try {
        eval("var_dump($code);");
    } catch (Error $e) {
        echo get_class($e), ": ", $e->getMessage(), "\n";
    }
}
var_dump(PHP_INT_MIN % -1, 1 << 64, 1 >> 64, -1 >> 64, 5 & 3, 5 | 3, 5 ^ 3, ~5, "ab" ^ "  ", ~"\x0f" === "\xf0");
