<?php
const CONF = ['config' => __DIR__ . '/openssl.cnf'];
// Both ends of an encrypted connection in one process, so that neither may wait.
$key = openssl_pkey_new(CONF);
$request = openssl_csr_new(['commonName' => 'test.example'], $key, CONF);
openssl_x509_export(openssl_csr_sign($request, null, $key, 1, CONF), $certificate);
openssl_pkey_export($key, $private, null, CONF);
$file = tempnam(sys_get_temp_dir(), 'phlox');
file_put_contents($file, $certificate . $private);

function connect(array $client, array $server): array {
    $listener = stream_socket_server('tcp://127.0.0.1:0', context: stream_context_create(['ssl' => $server]));
    $context = stream_context_create(['ssl' => $client]);
    $from = stream_socket_client('tcp://' . stream_socket_get_name($listener, false), context: $context);
    $to = stream_socket_accept($listener);
    stream_set_blocking($from, false);
    stream_set_blocking($to, false);
    $done = [0, 0];
    for ($turn = 0; $turn < 100 && in_array(0, $done, true); $turn++) {
        if ($done[0] === 0) {
            $done[0] = stream_socket_enable_crypto($from, true, STREAM_CRYPTO_METHOD_TLS_CLIENT);
        }
        if ($done[1] === 0) {
            $done[1] = @stream_socket_enable_crypto($to, true, STREAM_CRYPTO_METHOD_TLS_SERVER);
        }
        usleep(1000);
    }
    return [$from, $to, $done, $context];
}

$trusting = ['cafile' => $file, 'peer_name' => 'test.example', 'capture_peer_cert' => true];
[$from, $to, $done, $context] = connect($trusting, ['local_cert' => $file, 'alpn_protocols' => 'b,a']);
var_dump($done);
fwrite($from, "hello\n");
usleep(10000);
var_dump(fgets($to));
fwrite($to, str_repeat('x', 10000));
usleep(10000);
stream_set_blocking($from, true);
var_dump(strlen(stream_get_contents($from, 10000)));
$meta = stream_get_meta_data($from);
var_dump($meta['crypto']['protocol'], $meta['stream_type']);
$peer = stream_context_get_options($context)['ssl']['peer_certificate'];
var_dump(openssl_x509_parse($peer)['subject']);
fclose($to);
var_dump(fread($from, 10), feof($from));

[, , $done] = connect(['peer_name' => 'other.example'] + $trusting, ['local_cert' => $file]);
var_dump($done[0]);
[, , $done] = connect(['verify_peer' => false, 'peer_name' => 'test.example',
    'peer_fingerprint' => ['sha256' => openssl_x509_fingerprint($certificate, 'sha256')]], ['local_cert' => $file]);
var_dump($done[0]);
[$from, , $done] = connect(['alpn_protocols' => 'a,c', 'max_proto_version' => STREAM_CRYPTO_PROTO_TLSv1_2] + $trusting,
    ['local_cert' => $file, 'alpn_protocols' => 'b,a']);
$meta = stream_get_meta_data($from)['crypto'];
var_dump($meta['protocol'], $meta['alpn_protocol']);
var_dump(stream_socket_enable_crypto($from, false));
unlink($file);
try {
    stream_socket_enable_crypto(STDIN, true);
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
