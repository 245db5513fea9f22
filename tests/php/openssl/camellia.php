<?php
// Camellia is there, as in PHP's usual builds.
foreach (['camellia-128-cbc', 'CAMELLIA-192-ECB', 'camellia-256-ctr', 'camellia256'] as $method) {
    $key = str_repeat('k', 32);
    $length = openssl_cipher_iv_length($method);
    $text = openssl_encrypt('a text of some length', $method, $key, OPENSSL_RAW_DATA, str_repeat('i', $length));
    echo $method, ' ', $length, ' ', bin2hex($text), "\n";
    echo openssl_decrypt($text, $method, $key, OPENSSL_RAW_DATA, str_repeat('i', $length)), "\n";
}
var_dump(in_array('camellia-256-cbc', openssl_get_cipher_methods(), true));
