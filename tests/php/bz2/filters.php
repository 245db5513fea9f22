<?php
// The filters bzip2.compress and bzip2.decompress, and their parameters.
set_error_handler(function (int $level, string $text) { echo $level, ': ', $text, "\n"; return true; });
foreach ([null, 5, ['blocks' => 10, 'work' => 300], (object)['blocks' => 2, 'work' => 7], ['blocks' => 9, 'work' => -1]] as $params) {
    $stream = fopen('php://memory', 'w+');
    $filter = stream_filter_append($stream, 'bzip2.compress', STREAM_FILTER_WRITE, $params);
    var_dump(fwrite($stream, str_repeat('hello', 1000)));
    fflush($stream);
    fwrite($stream, 'and more');
    stream_filter_remove($filter);
    rewind($stream);
    $written = stream_get_contents($stream);
    echo strlen($written), ' ', md5($written), ' ', strlen(bzdecompress($written)), "\n";
}
var_dump(stream_filter_append(fopen('php://memory', 'w'), 'bzip2.other'));

$data = bzcompress(str_repeat('hello', 2000)) . bzcompress('x') . bzcompress('');
foreach ([[], ['concatenated' => true, 'small' => true]] as $params) {
    foreach ([10, 50, 4000] as $size) {
        $stream = fopen('php://temp', 'w+');
        $filter = stream_filter_append($stream, 'bzip2.decompress', STREAM_FILTER_WRITE, $params);
        foreach (str_split($data, $size) as $piece) echo fwrite($stream, $piece), ' ';
        stream_filter_remove($filter);
        rewind($stream);
        echo '= ', strlen(stream_get_contents($stream)), "\n";
    }
}
$stream = fopen('php://memory', 'w+');
stream_filter_append($stream, 'bzip2.decompress', STREAM_FILTER_WRITE);
var_dump(fwrite($stream, 'no compressed text'));

$file = tempnam(sys_get_temp_dir(), 'bz2');
file_put_contents("php://filter/write=bzip2.compress/resource=$file", str_repeat('qwerty', 500));
var_dump(strlen(file_get_contents("php://filter/read=bzip2.decompress/resource=$file")));
var_dump(bzdecompress(file_get_contents($file)) === str_repeat('qwerty', 500));
unlink($file);
