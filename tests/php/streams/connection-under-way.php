<?php
// A connection that nobody waits for, a wait that a signal ends, and a body that is no file.
$server = stream_socket_server('tcp://127.0.0.1:0');
$client = stream_socket_client(stream_socket_get_name($server, false), $number, $text, 1, STREAM_CLIENT_CONNECT | STREAM_CLIENT_ASYNC_CONNECT);
var_dump(is_resource($client), $number, $text);
$read = $except = null;
$write = [$client];
var_dump(stream_select($read, $write, $except, 5));
$peer = stream_socket_accept($server, 5);
var_dump(fwrite($client, "hello\n"), fgets($peer));
fclose($server);
$refused = @stream_socket_client('tcp://127.0.0.1:1', $number, $text, 1, STREAM_CLIENT_CONNECT | STREAM_CLIENT_ASYNC_CONNECT);
var_dump(is_resource($refused), $number);
pcntl_signal(SIGALRM, function () {
    echo "signal\n";
});
set_error_handler(function (int $level, string $message) {
    echo preg_replace('/max_fd=\d+/', 'max_fd=N', $message), "\n";
    return true;
});
pcntl_alarm(1);
$read = [$peer];
$write = null;
var_dump(stream_select($read, $write, $except, 5), count($read));
pcntl_signal_dispatch();
var_dump(fstat(fopen('php://input', 'r')));
