<?php
// Random numbers of a seed, and their limits.
foreach ([0, 1, 42, -5, '123456789012345678901234567890', '-99999999999999999999999', PHP_INT_MAX] as $seed) {
    gmp_random_seed($seed);
    echo "$seed: ", gmp_strval(gmp_random_bits(100), 16), ' ', gmp_random_bits(7), ' ', gmp_random_bits(32), ' ', gmp_random_bits(33), ' ', gmp_strval(gmp_random_bits(64), 16), ' ', gmp_random_range(1, 1000), ' ', gmp_random_range(-10, '100000000000000000000'), ' ', gmp_random_range(0, 1), ' ', gmp_random_range('5', '12'), "\n";
}
gmp_random_seed(7);
echo md5(gmp_strval(gmp_random_bits(100000))), "\n";
foreach ([fn() => gmp_random_bits(0), fn() => gmp_random_bits(1 << 40), fn() => gmp_random_range(5, 5), fn() => gmp_random_range('x', 5), fn() => gmp_random_seed('y')] as $what) {
    try { echo $what(), "\n"; } catch (Throwable $error) { echo get_class($error), ': ', $error->getMessage(), "\n"; }
}
