<?php
const CONF = ['config' => __DIR__ . '/openssl.cnf'];
// Keys from their numbers; signatures, agreements, envelopes.
$rsa = openssl_pkey_new(CONF + ['private_key_type' => OPENSSL_KEYTYPE_RSA]);
$details = openssl_pkey_get_details($rsa);
echo $details['bits'], ' ', $details['type'], ' ', implode(',', array_keys($details['rsa'])), "\n";
$again = openssl_pkey_new(['rsa' => $details['rsa']]);
openssl_pkey_export($rsa, $one, null, CONF);
openssl_pkey_export($again, $two, null, CONF);
var_dump($one === $two, str_starts_with($one, "-----BEGIN PRIVATE KEY-----\n"));
openssl_pkey_export($rsa, $locked, 'secret', CONF);
var_dump(openssl_pkey_get_private($locked, 'wrong'), openssl_pkey_get_private($locked, 'secret') instanceof OpenSSLAsymmetricKey);
$public = openssl_pkey_get_public($details['key']);
foreach ([OPENSSL_ALGO_SHA256, 'sha512', 'no-such-digest'] as $digest) {
    var_dump($signed = openssl_sign('message', $signature, $rsa, $digest));
    if ($signed) {
        var_dump(openssl_verify('message', $signature, $public, $digest), openssl_verify('other', $signature, $public, $digest));
    }
}
foreach ([OPENSSL_PKCS1_PADDING, OPENSSL_PKCS1_OAEP_PADDING] as $padding) {
    openssl_public_encrypt('message', $secret, $public, $padding);
    openssl_private_decrypt($secret, $clear, $rsa, $padding);
    var_dump(strlen($secret), $clear);
}
openssl_private_encrypt('message', $secret, $rsa);
openssl_public_decrypt($secret, $clear, $public);
var_dump($clear);
var_dump(openssl_seal('sealed', $data, $keys, [$public], 'aes-128-cbc', $iv), count($keys), strlen($iv));
var_dump(openssl_open($data, $open, $keys[0], $rsa, 'aes-128-cbc', $iv), $open);
// Curves.
$ec = openssl_pkey_new(['ec' => ['curve_name' => 'prime256v1',
    'd' => hex2bin('519b423d715f8b581f4fa8ee59f4771a5b44c8130b4e3eacca54a56dda72b464')]]);
$point = openssl_pkey_get_details($ec)['ec'];
echo $point['curve_name'], ' ', $point['curve_oid'], "\n", bin2hex($point['x']), "\n", bin2hex($point['y']), "\n";
$a = openssl_pkey_new(CONF + ['private_key_type' => OPENSSL_KEYTYPE_X25519]);
$b = openssl_pkey_new(CONF + ['private_key_type' => OPENSSL_KEYTYPE_X25519]);
$of = fn($key) => openssl_pkey_get_public(openssl_pkey_get_details($key)['key']);
var_dump(openssl_pkey_derive($of($b), $a) === openssl_pkey_derive($of($a), $b));
$ed = openssl_pkey_new(['ed25519' => ['priv_key' => str_repeat("\x07", 32)]]);
echo bin2hex(openssl_pkey_get_details($ed)['ed25519']['pub_key']), "\n";
var_dump(openssl_sign('message', $signature, $ed, 0), bin2hex($signature));
var_dump(openssl_pkey_new(['ec' => ['curve_name' => 'none']]), openssl_pkey_new(['ec' => []]));
// What a key is not.
var_dump(openssl_pkey_get_public('no key'), openssl_pkey_get_private('no key'));
var_dump(openssl_sign('x', $signature, $public), openssl_verify('x', 'y', $rsa));
try {
    openssl_sign('x', $signature, ['key']);
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
try {
    new OpenSSLAsymmetricKey;
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
echo bin2hex(openssl_pbkdf2('password', 'salt', 20, 2)), ' ', openssl_digest('x', 'sha3-256'), "\n";
