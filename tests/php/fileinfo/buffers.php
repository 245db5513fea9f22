<?php
// What texts and the beginnings of files are, in all kinds of answers.
$tar = str_pad('name', 100, "\0") . "0000644\0" . "0000000\0" . "0000000\0" . "00000000003\0" . "00000000000\0" . '        ' . '0' . str_repeat("\0", 100);
$tar = str_pad($tar . "ustar\00000", 512, "\0");
$tar = substr_replace($tar, sprintf("%06o\0 ", array_sum(array_map('ord', str_split($tar)))), 148, 8);
$samples = [
    'nothing' => '', 'one byte' => 'a', 'two bytes' => "\0\1", 'ascii' => "hello world\n", 'no end' => 'hello', 'crlf' => "a\r\nb\r\n",
    'mixed ends' => "a\r\nb\nc\rd\x85e", 'long line' => str_repeat('x', 400) . "\n", 'escapes' => "\e[1mbold\e[0m b\x08b\n",
    'utf-8' => "gr\u{fc}\u{df}e\n", 'bom' => "\u{feff}text\n", 'utf-7' => "+/v8-text here\n", 'utf-16' => "\xff\xfea\0b\0\n\0", 'utf-16be' => "\xfe\xff\0a\0b\0\n",
    'utf-32' => "\xff\xfe\0\0a\0\0\0\n\0\0\0", 'latin' => "gr\xfc\xdfe\n", 'pc' => "gr\x81\xe1e\n", 'ebcdic' => "\xc8\x85\x93\x93\x96\x25", 'cut utf-8' => "gr\u{fc}\xc3",
    'json' => '{"a": [1, 2.5e3, true, null, "\u00e9"]}', 'json lines' => "{\"a\":1}\n{\"a\":2}\n", 'bad json' => '{"a": [1, 2}', 'scalar json' => '"text"',
    'csv' => "a,b,c\n1,\"2,\"\"x\",3\n4,5,6\n", 'bad csv' => "a,b\n1,2,3\n", 'tar' => $tar, 'gnu tar' => substr_replace($tar, "ustar  \0", 257, 8),
    'php' => "<?php\necho 1;\n", 'script' => "#!/bin/sh\necho hi\n", 'html' => "<!DOCTYPE html>\n<html><body>x</body></html>\n", 'xml' => "<?xml version=\"1.0\"?>\n<a/>\n",
    'svg' => "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n", 'c' => "#include <stdio.h>\nint main(void) { return 0; }\n", 'diff' => "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n",
    'gif' => "GIF89a\x10\0\x20\0\x80\0\0\0\0\0\xff\xff\xff;", 'png' => "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x20\x08\x02\0\0\0", 'bmp' => "BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\x18\0",
    'jpeg' => "\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x02\0\0\x48\0\x48\0\0\xff\xd9", 'pdf' => "%PDF-1.4\n%\xe2\xe3\n1 0 obj\n", 'zip' => "PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0" . str_repeat("\0", 16) . "\x01\0\0\0a",
    'gzip' => gzencode(''), 'bzip2' => "BZh91AY&SY", 'xz' => "\xfd7zXZ\0\0\4", 'elf' => "\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x3e\0\x01\0\0\0", 'dos' => 'MZ' . str_repeat("\0", 62),
    'wav' => "RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0\x10\xb1\x02\0\x04\0\x10\0data", 'mp3' => "ID3\x03\0\0\0\0\0\x0a" . str_repeat("\0", 10) . "\xff\xfb\x90\x64",
    'mp4' => "\0\0\0\x18ftypmp42\0\0\0\0mp42isom", 'sqlite' => "SQLite format 3\0\x10\0\x01\x01\0\x40\x20\x20" . str_repeat("\0", 80), 'class' => "\xca\xfe\xba\xbe\0\0\0\x34",
    'certificate' => base64_decode('MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA'), 'pem' => "-----BEGIN CERTIFICATE-----\nMIIB\n", 'zeros' => str_repeat("\0", 64), 'mail' => "From: a@b\nTo: c@d\nSubject: x\n\nbody\n",
];
$flags = ['none' => FILEINFO_NONE, 'mime' => FILEINFO_MIME, 'ext' => FILEINFO_EXTENSION, 'apple' => FILEINFO_APPLE, 'all' => FILEINFO_CONTINUE | FILEINFO_RAW, 'types' => FILEINFO_CONTINUE | FILEINFO_MIME_TYPE];
$finfo = new finfo();
foreach ($samples as $name => $data) {
    echo "$name:";
    foreach ($flags as $flag) echo ' | ', str_replace("\n", '\n', $finfo->buffer($data, $flag));
    echo "\n";
}
