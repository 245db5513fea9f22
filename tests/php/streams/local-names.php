<?php
// Sockets of this machine whose names are no files', names that are too long, and what is returned without waiting.
$name = "\0phlox-test-" . getmypid();
$server = stream_socket_server("unix://$name");
$client = stream_socket_client("unix://$name");
$peer = stream_socket_accept($server);
var_dump(stream_socket_get_name($server, false), stream_socket_get_name($client, true));
fwrite($peer, "Hello 1\n" . str_repeat('a', 300) . "\n");
var_dump(strlen(fread($client, 256)), strlen(fread($client, 256)));
fwrite($peer, 'xyz');
var_dump(fread($client, 2), fread($client, 10));
fclose($peer);
var_dump(fread($client, 10), feof($client));

foreach ([getmypid() . str_repeat('a', 120), "\0" . getmypid() . str_repeat('b', 120)] as $long) {
    $path = $long[0] === "\0" ? $long : sys_get_temp_dir() . '/' . $long;
    $server = stream_socket_server("unix://$path");
    echo strlen((string) stream_socket_get_name($server, false)), "\n";
    if ($long[0] !== "\0") {
        unlink(substr($path, 0, 107));
    }
}

echo "-- the end of what is in memory\n";
foreach (['php://temp', 'php://memory'] as $url) {
    $f = fopen($url, 'w+');
    fwrite($f, "one\ntwo\n");
    rewind($f);
    var_dump(fgets($f), feof($f), fgets($f), feof($f));
    rewind($f);
    var_dump(fread($f, 8), feof($f), fread($f, 1), feof($f));
}
$o = new SplTempFileObject();
$o->fwrite("one\ntwo\n");
$o->rewind();
while ($o->valid()) {
    echo $o->key(), ': ', $o->fgets();
}

echo "-- wrappers\n";
class Moves { public $context; function rename($from, $to) { echo "$from $to\n"; return true; } }
class Other { public $context; }
stream_wrapper_register('moves', 'Moves');
stream_wrapper_register('other', 'Other');
var_dump(rename('moves://a', 'moves://b'), rename('moves://a', 'other://b'), rename('moves://a', '/tmp/b'));

echo "-- patterns obey open_basedir\n";
$dir = sys_get_temp_dir() . '/phlox-basedir-' . getmypid();
mkdir($dir);
mkdir("$dir/in");
touch("$dir/in/a.txt");
touch("$dir/b.txt");
ini_set('open_basedir', "$dir/in");
foreach (["$dir/in/*.txt", "$dir/*.txt", "$dir/*/*.txt"] as $pattern) {
    echo count(iterator_to_array(new GlobIterator($pattern))), "\n";
}
unlink("$dir/in/a.txt");
register_shutdown_function('exec', 'rm -r ' . escapeshellarg($dir));
