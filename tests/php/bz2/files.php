<?php
// Compressed files: what the functions and the wrapper do, and what they refuse.
$file = tempnam(sys_get_temp_dir(), 'bz2');
$name = fn(string $text) => str_replace($file, 'FILE', $text);
set_error_handler(function (int $level, string $text) use ($name) { echo $level, ': ', $name($text), "\n"; return true; });
function attempt(callable $what) {
    try { var_dump($what()); } catch (Throwable $error) { echo get_class($error), ': ', $error->getMessage(), "\n"; }
}

$bz = bzopen($file, 'w');
attempt(fn() => bzread($bz));
attempt(fn() => bzerror($bz));
attempt(fn() => bzwrite($bz, "first line\nsecond line\n"));
attempt(fn() => bzwrite($bz, 'third line, cut here', 10));
attempt(fn() => [bzerrno($bz), bzerrstr($bz), bzflush($bz), bzclose($bz)]);
attempt(fn() => bzclose($bz));
echo bin2hex(file_get_contents($file)), "\n";

$bz = bzopen($file, 'r');
attempt(fn() => bzread($bz, 5));
attempt(fn() => bzwrite($bz, 'x'));
attempt(fn() => bzerrstr($bz));
attempt(fn() => fgets($bz));
attempt(fn() => fseek($bz, 0));
attempt(fn() => bzread($bz, -1));
attempt(fn() => bzread($bz, 0));
attempt(fn() => bzread($bz));
attempt(fn() => feof($bz));
bzclose($bz);

$damage = ['cut' => substr(file_get_contents($file), 0, -4), 'no bzip2' => 'no compressed text', 'nothing' => ''];
foreach ($damage as $what => $contents) {
    echo "-- $what\n";
    file_put_contents($file, $contents);
    $bz = bzopen($file, 'r');
    attempt(fn() => bzread($bz));
    attempt(fn() => bzerror($bz));
    attempt(fn() => [feof($bz), bzread($bz), bzerrno($bz)]);
    bzclose($bz);
}

echo "-- streams that are open\n";
file_put_contents($file, 'head' . bzcompress('behind the head'));
$plain = fopen($file, 'rb');
fread($plain, 4);
$bz = bzopen($plain, 'r');
attempt(fn() => bzread($bz));
bzclose($bz);
attempt(fn() => fclose($plain));
foreach (['r', 'rb', 'r+', 'w', 'wb', 'ab', 'c', 'w+b'] as $mode) {
    foreach (['r', 'w'] as $wanted) {
        echo "$mode as $wanted: ";
        attempt(fn() => is_resource(bzopen(fopen($file, $mode), $wanted)));
    }
}
attempt(fn() => bzopen(fopen('php://memory', 'r'), 'r'));

echo "-- the wrapper\n";
attempt(fn() => file_put_contents("compress.bzip2://$file", str_repeat('wrapped ', 1000)));
attempt(fn() => strlen(file_get_contents("compress.bzip2://$file")));
attempt(fn() => copy("compress.bzip2://$file", "$file.plain") && filesize("$file.plain"));
attempt(fn() => file_put_contents("compress.bzip2://$file", 'more', FILE_APPEND));
attempt(fn() => fopen("compress.bzip2://$file/none", 'r'));
attempt(fn() => file_get_contents('compress.bzip2://data:;base64,' . base64_encode(bzcompress('of a URL'))));
attempt(fn() => unlink("compress.bzip2://$file"));
attempt(fn() => array_intersect_key(stream_get_meta_data(fopen("compress.bzip2://$file", 'r')), ['wrapper_type' => 1, 'stream_type' => 1, 'mode' => 1, 'seekable' => 1]));

echo "-- refused\n";
attempt(fn() => bzopen('', 'r'));
attempt(fn() => bzopen("a\0b", 'r'));
attempt(fn() => bzopen(1, 'r'));
attempt(fn() => bzopen($file, 'rw'));
attempt(fn() => bzopen('/nonexistent/none', 'r'));
attempt(fn() => bzerror(fopen($file, 'r')));
unlink($file);
unlink("$file.plain");
