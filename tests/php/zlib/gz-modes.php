<?php
// What the letters of a mode do in gzopen() and with compress.zlib://, what of it fails and how; positions; the level.

$directory = sys_get_temp_dir() . '/phlox-gz-modes-' . getmypid();
mkdir($directory);
chdir($directory);
$source = 'source.gz';
$target = 'target.gz';
$text = "When you're taught through feelings Destiny flying high above all I know is that you can realize it";
file_put_contents($source, gzencode($text));

function show(mixed $value): void {
    echo is_resource($value) ? "open\n" : json_encode($value) . "\n";
}

foreach (['r', 'rb', 'c', 'c+', 'x', 'w+', 'r+', 'a+', 'z', '', 'rb9', 'wb1f', 'w9', 'wh', 'R', 'rw'] as $mode) {
    @unlink($target);
    echo "$mode: ";
    show(gzopen(str_starts_with($mode, 'r') ? $source : $target, $mode));
    echo "$mode: ";
    show(fopen('compress.zlib://' . (str_starts_with($mode, 'r') ? $source : $target), $mode));
}

$first = gzopen($source, 'r');
$second = gzopen($source, 'r');
echo (int)$second - (int)$first, "\n";
show(array_keys(stream_get_meta_data($first)));
show(array_keys(stream_get_meta_data(fopen("compress.zlib://$source", 'r'))));

gzread($first, 40);
show(gzseek($first, 0, SEEK_END));
show([gztell($first), gzeof($first), gzread($first, 10)]);
show([gzseek($first, -5, SEEK_CUR), gztell($first), gzread($first, 10)]);
show([gzseek($first, 1000), gztell($first), gzeof($first), gzread($first, 1)]);
show(gzseek($first, 1, 7));
show([gzrewind($first), gzread($first, 4)]);

function size(int $level): int {
    global $target, $text;
    $context = stream_context_create(['zlib' => ['level' => $level]]);
    $file = fopen("compress.zlib://$target", 'w', false, $context);
    for ($i = 0; $i < 200; $i++) {
        fwrite($file, $text . $i * 7919);
    }
    fclose($file);
    return strlen(file_get_contents($target));
}
show(size(9) < size(1));
show(size(0) > 20000);

$file = gzopen($target, 'w');
gzwrite($file, "abc");
fflush($file);
gzwrite($file, "def");
gzclose($file);
echo bin2hex(file_get_contents($target)), "\n";
unlink($source);
unlink($target);
rmdir($directory);
