<?php
// Where nothing ever blocks, it is done to switch blocking off.
foreach (['php://temp', 'php://memory', 'php://output', 'php://temp/maxmemory:10', 'data:,abc'] as $url) {
    $stream = fopen($url, 'r');
    echo $url, "\n";
    var_dump(stream_set_blocking($stream, false), stream_set_blocking($stream, true), stream_set_timeout($stream, 1));
    var_dump(stream_set_read_buffer($stream, 0), stream_set_write_buffer($stream, 0));
    echo implode(' ', array_keys(stream_get_meta_data($stream))), "\n";
}
$stream = fopen('php://temp', 'w+');
fwrite($stream, 'abc');
rewind($stream);
fread($stream, 100);
var_dump(feof($stream), isset(stream_get_meta_data($stream)['eof']));
