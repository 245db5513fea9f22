<?php
// The old mode of the Mersenne Twister scales integers in a way of its own, in a Randomizer, too; all else draws evenly.
use Random\{Engine\Mt19937, Randomizer};
foreach ([1, 42, 999] as $seed) {
    $r = new Randomizer(@new Mt19937($seed, MT_RAND_PHP));
    foreach ([[0, 1], [0, 2 ** 32 - 1], [0, 2 ** 32], [PHP_INT_MIN, PHP_INT_MAX], [-5, 5], [0, 255], [7, 7], [1, 6]] as [$a, $b]) {
        echo $r->getInt($a, $b), ' ';
    }
    echo $r->nextInt(), ' ', implode(',', $r->shuffleArray(range(1, 5))), ' ', $r->getFloat(0, 1), ' ', bin2hex($r->getBytes(5)), ' ';
    echo implode(',', $r->pickArrayKeys(range(0, 9), 3)), ' ', $r->getBytesFromString('abcd', 6), "\n";
    @mt_srand($seed, MT_RAND_PHP);
    echo mt_rand(), ' ', mt_rand(1, 6), ' ', rand(1, 100), ' ', mt_rand(PHP_INT_MIN, PHP_INT_MAX), "\n";
}
