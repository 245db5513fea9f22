<?php
// Conversion on the way through a stream.
$stream = fopen('php://memory', 'w+');
stream_filter_append($stream, 'convert.iconv.ISO-8859-1/UTF-8', STREAM_FILTER_WRITE);
fwrite($stream, "\xe4\xf6");
rewind($stream);
var_dump(stream_get_contents($stream));
var_dump(@stream_filter_append(fopen('php://memory', 'r'), 'convert.iconv.none/UTF-8'));
var_dump(iconv('WINDOWS-1258', 'UTF-8', "\xe9"), iconv_strlen("\xe9x", 'WINDOWS-1250'));
foreach ([-9, 9] as $offset) {
    try {
        iconv_strpos('abc', 'c', $offset);
    } catch (ValueError $e) {
        echo $e->getMessage(), "\n";
    }
}
// Encoded words belong together across folds and blanks.
var_dump(iconv_mime_decode("S: =?ISO-8859-1?Q?=E4?=\t\n   =?ISO-8859-1?Q?=F6?= x", 0, 'UTF-8'));
var_dump(iconv_mime_decode('a =? b', 0, 'UTF-8'), @iconv_mime_decode('=?UTF-8?Q?a??= =?x', 0, 'UTF-8'));
var_dump(iconv_mime_decode('a =?UTF-8?Q?=A1?= .', ICONV_MIME_DECODE_CONTINUE_ON_ERROR, 'UTF-8'));
