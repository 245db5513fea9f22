<?php
// Filters that are taken away pass on what they hold; what they see of the stream; buckets that are added twice.
$f = fopen('php://memory', 'w+');
$deflate = stream_filter_append($f, 'zlib.deflate', STREAM_FILTER_WRITE);
$rot13 = stream_filter_append($f, 'string.rot13', STREAM_FILTER_WRITE);
fwrite($f, 'test');
stream_filter_remove($deflate);
fwrite($f, 'test');
stream_filter_remove($rot13);
rewind($f);
var_dump(urlencode(fread($f, 100)));
fclose($f);

class Twice extends php_user_filter
{
    public function onCreate(): bool
    {
        var_dump($this->stream);
        return true;
    }

    public function filter($in, $out, &$consumed, bool $closing): int
    {
        while ($bucket = stream_bucket_make_writeable($in)) {
            var_dump(is_resource($this->stream));
            $bucket->data = "<$bucket->data>";
            stream_bucket_append($out, $bucket);
            stream_bucket_append($out, $bucket);
            stream_bucket_prepend($out, stream_bucket_new($this->stream, '^'));
        }
        return PSFS_PASS_ON;
    }
}
class Refusing extends php_user_filter
{
    public function onCreate(): bool
    {
        return false;
    }
}
class Failing extends php_user_filter
{
    public function filter($in, $out, &$consumed, bool $closing): int
    {
        return PSFS_ERR_FATAL;
    }
}
stream_filter_register('twice', 'Twice');
stream_filter_register('refusing', 'Refusing');
stream_filter_register('failing', 'Failing');
$f = fopen('php://memory', 'rw');
$filter = stream_filter_append($f, 'twice', STREAM_FILTER_WRITE);
fwrite($f, 'data');
var_dump(stream_filter_remove($filter));
rewind($f);
var_dump(fread($f, 100));
foreach (['refusing', 'string.none', 'none', 'convert.none'] as $name) {
    var_dump(stream_filter_append($f, $name));
}
$failing = stream_filter_append($f, 'failing', STREAM_FILTER_WRITE);
var_dump(fwrite($f, 'x'), stream_filter_remove($failing));
fclose($f);
try {
    stream_filter_remove($failing);
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}

$encodings = [
    [[], "a b=\t \x00ü\r\n ende "],
    [['line-length' => 20], "words that are longer than one line and blanks \t \nat ends  \r\nof lines \r\n"],
    [['line-length' => 10, 'line-break-chars' => "\n"], "blanks  \nbefore\nline ends \n"],
    [['line-length' => 30, 'binary' => true], "tab\tand\r\nbreaks "],
    [['line-length' => 12, 'force-encode-first' => true], "first letters of lines"],
];
foreach ($encodings as [$options, $text]) {
    $f = fopen('php://memory', 'w+');
    stream_filter_append($f, 'convert.quoted-printable-encode', STREAM_FILTER_WRITE, $options);
    fwrite($f, $text);
    rewind($f);
    var_dump(fread($f, 1000));
}
foreach (['Zm9v', "Zm\n9v!", 'Zm8=', "Zg==\n", 'Zg=', '=', 'Zm9v=', 'Zg==Zg=='] as $text) {
    $f = fopen('php://memory', 'w+');
    fwrite($f, $text);
    rewind($f);
    stream_filter_append($f, 'convert.base64-decode', STREAM_FILTER_READ);
    var_dump(fread($f, 100));
}
