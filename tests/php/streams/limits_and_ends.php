<?php
//: exit 255
//: one-request the limit ends the process
// What a memory stream holds counts against memory_limit, and only a closed connection is at its end.
$server = stream_socket_server('tcp://127.0.0.1:0');
$client = stream_socket_client('tcp://' . stream_socket_get_name($server, false));
$accepted = stream_socket_accept($server);
var_dump(feof($client), feof($server));
var_dump(str_starts_with(stream_get_meta_data($client)['uri'], 'tcp://127.0.0.1:'), isset(stream_get_meta_data($accepted)['uri']));
fwrite($accepted, 'x');
fclose($accepted);
stream_set_blocking($client, false);
usleep(20000);
var_dump(feof($client), fread($client, 10), feof($client));
foreach ([NAN, INF, -INF] as $timeout) {
    foreach ([fn() => stream_socket_accept($server, $timeout), fn() => stream_socket_client('tcp://127.0.0.1:1', timeout: $timeout)] as $wrong) {
        try {
            $wrong();
        } catch (ValueError $e) {
            echo $e->getMessage(), "\n";
        }
    }
}
var_dump(strlen(basename(tempnam(sys_get_temp_dir(), 'abc'))), inet_pton('no address'));
register_shutdown_function(function () {
    echo "still runs\n";
});
$memory = fopen('php://memory', 'r+');
fseek($memory, 200_000_000);
fwrite($memory, 'far away');
