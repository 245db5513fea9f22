<?php
// UTF-16 and UTF-32 without an order of bytes are written with a mark, and read by it.
foreach (['UTF-16', 'utf16', 'UTF-32', 'UNICODE', 'UCS-2', 'UCS-4', 'UTF-16LE', 'UTF-16BE', 'UTF-32BE', 'utf-32//TRANSLIT'] as $charset) {
    echo $charset, ':';
    foreach (["a\u{e9}", ''] as $text) {
        $converted = iconv('UTF-8', $charset, $text);
        echo ' ', bin2hex($converted), ' ', iconv($charset, 'UTF-8', $converted);
    }
    echo "\n";
}
foreach (["\xfe\xff\0a", "\xff\xfea\0", "a\0b\0"] as $text) {
    echo bin2hex(iconv('UTF-16', 'UTF-8', $text)), ' ', iconv_strlen($text, 'UTF-16'), "\n";
}
echo bin2hex(iconv_substr("a\0b\0", 1, 1, 'UTF-16')), "\n";
$file = tempnam(sys_get_temp_dir(), 'iconv');
$stream = fopen($file, 'w');
stream_filter_append($stream, 'convert.iconv.UTF-8/UTF-16');
fwrite($stream, 'ab');
fwrite($stream, 'cd');
fclose($stream);
echo bin2hex(file_get_contents($file)), "\n";
file_put_contents($file, "\xfe\xff\0a\0b\0c");
$stream = fopen($file, 'r');
stream_filter_append($stream, 'convert.iconv.UTF-16/UTF-8');
echo stream_get_contents($stream), "\n";
unlink($file);
foreach ([['', ''], ['abc', ''], ['', 'b'], ['abc', 'b']] as [$haystack, $needle]) {
    foreach ([-5, -1, 0, 1, 4, 100] as $offset) {
        try {
            var_dump(iconv_strpos($haystack, $needle, $offset));
        } catch (ValueError $error) {
            echo $error->getMessage(), "\n";
        }
    }
}
