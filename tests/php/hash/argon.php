<?php
// Argon2 in both variants, at small costs.
$costs = ['memory_cost' => 64, 'time_cost' => 2, 'threads' => 2];
foreach ([PASSWORD_ARGON2I, PASSWORD_ARGON2ID] as $algorithm) {
    $hash = password_hash("pass\0word", $algorithm, $costs);
    echo preg_replace('/\$[^$]+\$[^$]+$/', '', $hash), ' ', strlen($hash), "\n";
    var_dump(password_verify("pass\0word", $hash), password_verify('pass', $hash), password_get_info($hash)['options'] === $costs);
    var_dump(password_needs_rehash($hash, $algorithm, $costs), password_needs_rehash($hash, $algorithm), password_needs_rehash($hash, PASSWORD_BCRYPT));
}
foreach ([['memory_cost' => 1], ['time_cost' => 0], ['threads' => 0], ['memory_cost' => 8, 'threads' => 4]] as $options) {
    try {
        password_hash('a', PASSWORD_ARGON2ID, $options);
    } catch (ValueError $e) {
        echo $e->getMessage(), "\n";
    }
}
// Of the reference implementation's vectors.
var_dump(password_verify('password', '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8'));
var_dump(password_verify('password', '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'));
var_dump(password_verify('other', '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'));
var_dump(password_get_info('$argon2id$broken'), password_algos());
