<?php
// PHP code takes what is written to its streams in pieces of the chunk size; and other limits of files.
class Taker
{
    public $context;
    function stream_open($path, $mode, $options, &$opened)
    {
        return true;
    }
    function stream_write($data)
    {
        echo strlen($data), ' ';
        return strlen($data);
    }
}
stream_wrapper_register('taker', 'Taker');
$file = fopen('taker://x', 'w');
var_dump(fwrite($file, str_repeat('a', 20000)));
var_dump(stream_set_chunk_size($file, 3), fwrite($file, 'abcdefg'));
fclose($file);
var_dump(file_put_contents('taker://y', str_repeat('b', 8193)));

$log = tempnam(sys_get_temp_dir(), 'log');
unlink($log);
umask(0);
ini_set('error_log', $log);
ini_set('error_log_mode', '0640');
error_log('a line');
printf("%o\n", fileperms($log) & 0777);
unlink($log);

date_default_timezone_set('Asia/Kolkata');
['minuteswest' => $minutes, 'dsttime' => $summer] = gettimeofday();
var_dump($minutes, $summer);

$writer = new XMLWriter;
var_dump(@$writer->openUri('/' . str_repeat('a', 5000)), error_get_last()['message']);
mkdir("$log.d");
touch("$log.d/f");
var_dump(readdir(opendir("glob://$log.d/*")));
unlink("$log.d/f");
rmdir("$log.d");
ini_set('open_basedir', "$log.d");
var_dump(readdir(opendir('glob://' . __DIR__ . '/*')));
var_dump(@file_exists(str_repeat('x', 4096)));
echo substr(error_get_last()['message'], 0, 100), "\n";
