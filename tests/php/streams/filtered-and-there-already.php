<?php
// Reading on from where a stream is anyway reads on in what its filter made.
class Pairs extends php_user_filter
{
    public function filter($in, $out, &$consumed, bool $closing): int
    {
        while ($bucket = stream_bucket_make_writeable($in)) {
            $bucket->data = strrev($bucket->data);
            $consumed += $bucket->datalen;
            stream_bucket_append($out, $bucket);
        }
        return PSFS_PASS_ON;
    }
}
stream_filter_register('pairs', 'Pairs');
$file = tmpfile();
fwrite($file, 'abcdef');
rewind($file);
stream_filter_append($file, 'pairs', STREAM_FILTER_READ);
var_dump(stream_get_contents($file, 2, 0), ftell($file));
var_dump(stream_get_contents($file, 1, 2), stream_get_contents($file, -1, 3));
var_dump(stream_get_contents($file, 3, 0), stream_get_contents($file, -1, 1));
