<?php
// The window of zlib's filters: what zlib does not know makes no filter, from 32 on the data tells its frame.
$texts = ['gzip' => gzencode('hello'), 'zlib' => gzcompress('hello'), 'raw' => gzdeflate('hello')];
foreach ($texts as $name => $text) {
    foreach ([-16, -15, -8, -7, 0, 7, 8, 15, 16, 23, 24, 31, 32, 33, 40, 47, 48] as $window) {
        $file = fopen('php://temp', 'r+');
        fwrite($file, $text);
        rewind($file);
        $filter = @stream_filter_append($file, 'zlib.inflate', STREAM_FILTER_READ, ['window' => $window]);
        echo "$name $window ", gettype($filter), ' ', bin2hex(@stream_get_contents($file)), "\n";
    }
}
$file = fopen('php://temp', 'r+');
fwrite($file, gzencode(str_repeat('ab', 30)) . 'something behind');
rewind($file);
stream_filter_append($file, 'zlib.inflate', STREAM_FILTER_READ, ['window' => 15 + 32]);
stream_set_chunk_size($file, 1);
var_dump(stream_get_contents($file));
foreach ([-15, -8, 0, 8, 15, 16, 24, 25, 31, 32] as $window) {
    $file = fopen('php://temp', 'r+');
    $filter = @stream_filter_append($file, 'zlib.deflate', STREAM_FILTER_WRITE, ['window' => $window]);
    fwrite($file, 'hello');
    if ($filter) {
        stream_filter_remove($filter);
    }
    rewind($file);
    echo "$window ", gettype($filter), ' ', strlen(stream_get_contents($file)), "\n";
}
