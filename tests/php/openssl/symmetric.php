<?php
// Ciphers with IVs, tags and paddings.
$key = str_repeat("k", 32);
$iv = str_repeat("i", 16);
foreach (['aes-256-cbc', 'AES-128-CTR', 'aes-256-ecb', 'des-ede3-cbc'] as $cipher) {
    $length = openssl_cipher_iv_length($cipher);
    $text = openssl_encrypt('attack at dawn', $cipher, $key, 0, substr($iv, 0, $length));
    echo $cipher, ' ', $length, ' ', openssl_cipher_key_length($cipher), ' ', $text, ' ',
        openssl_decrypt($text, $cipher, $key, 0, substr($iv, 0, $length)), "\n";
}
foreach (['aes-256-gcm', 'aes-128-ccm', 'chacha20-poly1305', 'aes-128-ocb'] as $cipher) {
    $nonce = substr($iv, 0, 12);
    $text = openssl_encrypt('attack at dawn', $cipher, $key, OPENSSL_RAW_DATA, $nonce, $tag, 'header');
    echo $cipher, ' ', bin2hex($text), ' ', bin2hex($tag), "\n";
    var_dump(openssl_decrypt($text, $cipher, $key, OPENSSL_RAW_DATA, $nonce, $tag, 'header'));
    $tag[0] = chr(ord($tag[0]) ^ 1);
    var_dump(openssl_decrypt($text, $cipher, $key, OPENSSL_RAW_DATA, $nonce, $tag, 'header'));
}
// What PHP warns of.
var_dump(openssl_encrypt('x', 'aes-128-cbc', 'short', 0, 'four'));
var_dump(openssl_encrypt('x', 'aes-128-cbc', 'short', 0, str_repeat('l', 20)));
var_dump(openssl_encrypt('x', 'aes-128-cbc', 'short'));
var_dump(openssl_encrypt('x', 'no-such-cipher', 'key'));
var_dump(openssl_encrypt('x', 'aes-128-gcm', 'key', 0, '123456789012'));
var_dump(openssl_decrypt('no base 64 !', 'aes-128-cbc', 'key', OPENSSL_RAW_DATA, $iv));
var_dump(openssl_encrypt('x', 'aes-128-cbc', $key, OPENSSL_RAW_DATA | OPENSSL_ZERO_PADDING, $iv));
echo openssl_error_string(), "\n";
try {
    openssl_cipher_iv_length('');
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
var_dump(in_array('aes-256-gcm', openssl_get_cipher_methods()), in_array('sha256', openssl_get_md_methods()));
