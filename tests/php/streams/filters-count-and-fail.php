<?php
// What a filter says that it took is what was written; one that throws ends what is read.
class Taking extends php_user_filter
{
    public function filter($in, $out, &$consumed, bool $closing): int
    {
        while ($bucket = stream_bucket_make_writeable($in)) {
            $consumed += $this->params['count'] ?? 0;
            stream_bucket_append($out, $bucket);
        }
        return $this->params['answer'] ?? PSFS_PASS_ON;
    }
}
class Throwing extends php_user_filter
{
    public function filter($in, $out, &$consumed, bool $closing): int
    {
        if ($closing) {
            return PSFS_PASS_ON;
        }
        throw new RuntimeException('no filtering');
    }
}
stream_filter_register('taking', 'Taking');
stream_filter_register('throwing', 'Throwing');
foreach ([[], ['count' => 2], ['count' => 5], ['count' => 9], ['answer' => PSFS_FEED_ME], ['answer' => PSFS_ERR_FATAL]] as $params) {
    $file = fopen('php://memory', 'w+');
    stream_filter_append($file, 'taking', STREAM_FILTER_WRITE, $params);
    var_dump(fwrite($file, 'hello'));
    rewind($file);
    var_dump(stream_get_contents($file));
}
foreach (['fgets', 'stream_get_contents', 'fgetc', 'fpassthru'] as $function) {
    $file = fopen('php://memory', 'w+');
    fwrite($file, "one\ntwo\n");
    rewind($file);
    stream_filter_append($file, 'throwing', STREAM_FILTER_READ);
    try {
        var_dump($function($file));
    } catch (RuntimeException $e) {
        echo $function, ': ', $e->getMessage(), "\n";
    }
    var_dump(feof($file));
}
function dechunked(string $text, int $size): string
{
    $file = fopen('php://temp', 'w+');
    fwrite($file, $text);
    rewind($file);
    stream_filter_append($file, 'dechunk', STREAM_FILTER_READ);
    stream_set_chunk_size($file, $size);
    return stream_get_contents($file);
}
$texts = [
    "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "3;x=y\r\nabc\r\n0\r\nTrailer: 1\r\n\r\nmore", "3\nabc\n2\nde\n0\n\n", "x\r\nabc", "3\r\nabcd\r\n",
    "A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n", "3\rabc", "", "3 \r\nabc\r\n0\r\n\r\n", "03\r\nabc\r\n00\r\n\r\n", "3\r\nab", "3\r\nabc\rx",
];
foreach ($texts as $text) {
    echo json_encode([dechunked($text, 8192), dechunked($text, 1)]), "\n";
}
