<?php
// A server and its client in one process: connections are accepted by the kernel before PHP asks.
$server = stream_socket_server('tcp://127.0.0.1:0', $errno, $error);
$address = stream_socket_get_name($server, false);
var_dump(preg_match('/^127\.0\.0\.1:\d+$/', $address), $errno, $error);
$client = stream_socket_client("tcp://$address", $errno, $error, 5);
$peer = stream_socket_accept($server, 5, $name);
var_dump($name === stream_socket_get_name($client, false));
var_dump(stream_socket_get_name($client, true) === $address);
fwrite($client, "GET / HTTP/1.0\r\n\r\n");
var_dump(fgets($peer), fgets($peer));
fwrite($peer, "200 OK\n");
stream_socket_shutdown($peer, STREAM_SHUT_WR);
var_dump(stream_get_contents($client), feof($client));
fclose($client);
fclose($peer);
fclose($server);

[$left, $right] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
fwrite($left, "across\n");
var_dump(fgets($right));
stream_set_timeout($right, 0, 10000);
var_dump(fread($right, 10), stream_get_meta_data($right)['timed_out']);
stream_set_blocking($right, false);
var_dump(fread($right, 10), stream_get_meta_data($right)['blocked']);
fclose($left);
var_dump(fread($right, 10), feof($right));

// Nothing listens on the port that was just closed.
var_dump(@stream_socket_client("tcp://$address", $errno, $error, 1), $errno, $error);
var_dump(@fsockopen('127.0.0.1', (int) substr(strrchr($address, ':'), 1), $errno, $error, 1), $errno, $error);

$udp = stream_socket_server('udp://127.0.0.1:0', $errno, $error, STREAM_SERVER_BIND);
$sender = stream_socket_client('udp://' . stream_socket_get_name($udp, false));
fwrite($sender, 'datagram');
var_dump(stream_socket_recvfrom($udp, 1500, STREAM_PEEK), stream_socket_recvfrom($udp, 1500, 0, $from));
var_dump($from === stream_socket_get_name($sender, false));
