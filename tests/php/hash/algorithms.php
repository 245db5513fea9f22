<?php
foreach (preg_grep("~haval|snefru|,4~", hash_algos(), PREG_GREP_INVERT) as $name) {
    echo $name, ' ', hash($name, ''), ' ', hash($name, 'The quick brown fox'), ' ', hash($name, str_repeat('long ', 100)), "\n";
}
foreach (['xxh32', 'xxh64', 'xxh3', 'xxh128', 'murmur3a', 'murmur3c', 'murmur3f'] as $name) {
    echo $name, ' ', hash($name, 'abc', options: ['seed' => 42]), "\n";
}
echo hash('xxh3', 'abc', options: ['secret' => str_repeat('s3cr3t!!', 24)]), "\n";
try {
    hash('xxh128', 'abc', options: ['seed' => 1, 'secret' => 'x']);
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
$file = tempnam(sys_get_temp_dir(), 'hash');
file_put_contents($file, 'contents');
$context = hash_init('ripemd160');
var_dump(hash_update_file($context, $file), hash_update_stream($context, fopen($file, 'r'), 3));
var_dump(hash_final($context) === hash('ripemd160', 'contentscon'), hash_file('whirlpool', $file) === hash('whirlpool', 'contents'));
var_dump(hash_hmac_file('md4', $file, 'key') === hash_hmac('md4', 'contents', 'key'));
unlink($file);
var_dump(version_compare('8.4', '8.4', '='));
