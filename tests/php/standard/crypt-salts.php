<?php
// Salts of MD5 and SHA-2 may have any bytes: passwords are hashed with salts like base64_encode(random_bytes(9)).
foreach (['$1$', '$5$', '$6$'] as $format) {
    $all = '';
    for ($byte = 0; $byte < 256; $byte += 5) {
        $hash = crypt('secret', $format . 'a' . chr($byte) . 'b');
        $all .= $hash;
        assert(password_verify('secret', $hash) || $byte === 0);
    }
    echo $format, ' ', md5($all), "\n";
}
foreach (['', 'a', str_repeat('ab', 40), "p\0q", str_repeat('x', 64), str_repeat('z', 200)] as $password) {
    foreach (['$1$', '$5$', '$6$', '$6$rounds=1001$', '$5$rounds=999$', '$6$rounds=$', '$6$rounds=1000x$', '$5$rounds=+1000$', '$5$rounds= 01000$'] as $format) {
        foreach (['', 'salt', 'Sa+t/Sa=tSa:tSalt', 'a$b$c'] as $salt) {
            echo $format, $salt, ' ', crypt($password, $format . $salt), "\n";
        }
    }
}
foreach (['ab', 'a', 'a!', '_J9..rasm', '_J9..ra!m', '$2y$04$abcdefghijklmnopqrstuvé', '$2y$04$abcdefghijklmnop+rstuv', '*0', '*1', '$7$x'] as $salt) {
    echo $salt, ' ', crypt('secret', $salt), "\n";
}
