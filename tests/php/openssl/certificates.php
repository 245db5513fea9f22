<?php
const CONF = ['config' => __DIR__ . '/openssl.cnf', 'digest_alg' => 'sha256'];
// A request, a certificate made of it, what is in it, and containers for it.
$key = openssl_pkey_new(CONF);
$names = ['countryName' => 'DE', 'organizationName' => 'Müller & Söhne', 'commonName' => 'test.example',
    'organizationalUnitName' => ['one', 'two'], 'noSuchName' => 'x'];
$request = openssl_csr_new($names, $key, CONF);
print_r(openssl_csr_get_subject($request));
$certificate = openssl_csr_sign($request, null, $key, 365, CONF, 42);
$parsed = openssl_x509_parse($certificate);
echo $parsed['name'], ' ', $parsed['version'], ' ', $parsed['serialNumber'], ' ', $parsed['serialNumberHex'], ' ',
    $parsed['signatureTypeSN'], ' ', ($parsed['validTo_time_t'] - $parsed['validFrom_time_t']) / 86400, "\n";
echo $parsed['purposes'][1][2], ' ', openssl_x509_parse($certificate, false)['purposes'][1][2], "\n";
var_dump(openssl_x509_check_private_key($certificate, $key), openssl_x509_verify($certificate, $certificate));
openssl_x509_export($certificate, $pem);
$read = openssl_x509_read($pem);
var_dump(openssl_x509_fingerprint($read, 'sha256') === openssl_x509_fingerprint($certificate, 'sha256'));
$file = tempnam(sys_get_temp_dir(), 'phlox');
file_put_contents($file, $pem);
var_dump(openssl_x509_checkpurpose("file://$file", X509_PURPOSE_ANY, [$file]));
openssl_pkcs12_export($certificate, $container, $key, 'secret', ['friendly_name' => 'me', 'extracerts' => [$pem]]);
var_dump(openssl_pkcs12_read($container, $parts, 'wrong'), openssl_pkcs12_read($container, $parts, 'secret'));
echo implode(',', array_keys($parts)), ' ', count($parts['extracerts']), "\n";
var_dump($parts['cert'] === $pem);
// Messages in files.
$mail = tempnam(sys_get_temp_dir(), 'phlox');
$signed = tempnam(sys_get_temp_dir(), 'phlox');
file_put_contents($mail, "hello\n");
var_dump(openssl_pkcs7_sign($mail, $signed, $certificate, $key, ['Subject' => 'test', 'X-Plain']));
echo implode("\n", array_slice(file($signed, FILE_IGNORE_NEW_LINES), 0, 3)), "\n";
var_dump(openssl_pkcs7_verify($signed, 0, null, [$file]), openssl_pkcs7_verify($signed, PKCS7_NOVERIFY));
var_dump(openssl_cms_encrypt($mail, $signed, $certificate, []), openssl_cms_decrypt($signed, $mail, $certificate, $key));
echo file_get_contents($mail);
// Keys with a challenge.
$spki = openssl_spki_new($key, 'challenge', OPENSSL_ALGO_SHA256);
$text = substr($spki, strlen('SPKAC='));
var_dump(openssl_spki_verify($text), openssl_spki_export_challenge($text), openssl_spki_verify('broken'));
array_map('unlink', [$file, $mail, $signed]);
while (openssl_error_string()) {
}
var_dump(openssl_x509_read('no certificate'));
echo openssl_error_string(), "\n";
