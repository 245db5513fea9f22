<?php
// Numbers and messages of addresses that cannot be reached; a port loses what does not fit.
foreach (['tcp://127.0.0.1:1', 'unix:///nonexistent/x', 'tcp://127.0.0.1', 'foo://x', 'tcp://127.0.0.1:65537', 'tcp://', '127.0.0.1:1', "tcp://127.0.0.1:1\0x", "tcp://127.0.0.1'\"\\"] as $address) {
    $number = $message = 'none';
    $socket = @stream_socket_client($address, $number, $message, 2);
    var_dump($socket && 1, $number, $message, error_get_last()['message']);
}
foreach (['unix:///nonexistent/dir/x', 'foo://x', 'tcp://127.0.0.1', 'tcp://192.0.2.1:65537'] as $address) {
    $number = $message = 'none';
    $socket = @stream_socket_server($address, $number, $message);
    var_dump($socket && 1, $number, $message, error_get_last()['message']);
}
