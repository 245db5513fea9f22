<?php
// Texts compressed at once, in pieces and through files and filters.
$text = str_repeat('phlox and php ', 40);
foreach (['gzcompress', 'gzdeflate', 'gzencode', 'zlib_encode'] as $function) {
    $packed = $function === 'zlib_encode' ? zlib_encode($text, ZLIB_ENCODING_RAW, 9) : $function($text, 9);
    echo $function, ' ', strlen($packed), ' ', md5($packed), ' ', var_export(zlib_decode($packed) === $text, true), "\n";
}
var_dump(@gzuncompress('nonsense'), gzinflate(gzdeflate('abc')));
$deflate = deflate_init(ZLIB_ENCODING_GZIP);
$packed = deflate_add($deflate, 'first ', ZLIB_NO_FLUSH) . deflate_add($deflate, 'second', ZLIB_FINISH);
$inflate = inflate_init(ZLIB_ENCODING_GZIP);
foreach (str_split($packed, 5) as $piece) {
    echo inflate_add($inflate, $piece);
}
echo ' ', inflate_get_status($inflate), ' ', inflate_get_read_len($inflate) === strlen($packed) ? 'all' : 'part', "\n";
$path = tempnam(sys_get_temp_dir(), 'gz');
$file = gzopen($path, 'wb9');
gzwrite($file, "line 1\nline 2\n");
gzputs($file, 'line 3');
gzclose($file);
print_r(gzfile($path));
echo file_get_contents("compress.zlib://$path"), ' ', bin2hex(substr(file_get_contents($path), 0, 3)), "\n";
$stream = fopen($path, 'wb');
stream_filter_append($stream, 'zlib.deflate', STREAM_FILTER_WRITE, ['level' => 6]);
fwrite($stream, $text);
fclose($stream);
var_dump(gzinflate(file_get_contents($path)) === $text);
unlink($path);
