<?php
// What the functions and the class take, and what they refuse.
$folder = sys_get_temp_dir() . '/finfo' . getmypid();
mkdir($folder);
chdir($folder);
$name = fn(string $text) => str_replace($folder, 'FOLDER', $text);
set_error_handler(function (int $level, string $text) use ($name) { echo $level, ': ', $name($text), "\n"; return true; });
$attempt = function (callable $what) use ($name) {
    try { var_dump($what()); } catch (Throwable $error) { echo get_class($error), ': ', $name($error->getMessage()), "\n"; }
};
file_put_contents('text', "some text\n");
file_put_contents('empty', '');
file_put_contents('rules', "0\tstring\tsome\tsomething\n");
file_put_contents('wrong', "0\tnothing\n");
mkdir('folder');
file_put_contents('folder/b', "0\tstring\tb\tof b\n");
file_put_contents('folder/a', "0\tstring\ta\tof a\n");

$attempt(fn() => finfo_open(0, '/nonexistent'));
$attempt(fn() => new finfo(0, '/nonexistent'));
$attempt(fn() => finfo_open(0, "a\0b"));
$attempt(fn() => finfo_open(0, 'wrong'));
$attempt(fn() => new finfo(0, 'wrong'));
$attempt(fn() => (new finfo(0, 'rules'))->file('text'));
$attempt(fn() => finfo_buffer(finfo_open(0, 'rules:wrong'), 'some'));
$attempt(fn() => finfo_buffer(finfo_open(0, 'empty'), 'some'));
$attempt(fn() => finfo_open(0, str_repeat('a', 5000)));
$attempt(fn() => new finfo(0, str_repeat('a', 5000)));

$finfo = new finfo();
$attempt(fn() => $finfo->file(''));
$attempt(fn() => finfo_file($finfo, ''));
$attempt(fn() => $finfo->file("a\0b"));
$attempt(fn() => $finfo->file('nonexistent'));
$attempt(fn() => $finfo->file('folder'));
$attempt(fn() => $finfo->file('empty'));
$attempt(fn() => $finfo->file('data:,some%20text'));
$attempt(fn() => $finfo->file('nowhere://text'));
$attempt(fn() => $finfo->file('text', FILEINFO_MIME));
$attempt(fn() => $finfo->file('text'));
$attempt(fn() => finfo_set_flags($finfo, FILEINFO_MIME_TYPE));
$attempt(fn() => $finfo->file('text'));
$attempt(fn() => $finfo->buffer('text', FILEINFO_MIME_ENCODING));
$attempt(fn() => $finfo->buffer('text', 0, 5));
$attempt(fn() => $finfo->buffer('text', 0, stream_context_create()));
$attempt(fn() => $finfo->set_flags(0));
$attempt(fn() => finfo_close($finfo));
$attempt(fn() => finfo_buffer($finfo, 'text'));
$attempt(fn() => $finfo->__construct(0, '/nonexistent'));
$attempt(fn() => $finfo->buffer('text'));
$attempt(fn() => clone $finfo);
$attempt(fn() => serialize($finfo));

class Late extends finfo { function __construct() {} }
$attempt(fn() => (new Late)->buffer('text'));
$attempt(fn() => (new Late)->set_flags(1));

$attempt(fn() => mime_content_type('text'));
$attempt(fn() => mime_content_type('folder'));
$attempt(fn() => mime_content_type(''));
$attempt(fn() => mime_content_type(1));
$stream = fopen('text', 'r');
fread($stream, 3);
$attempt(fn() => [mime_content_type($stream), ftell($stream)]);
fclose($stream);
$attempt(fn() => mime_content_type($stream));

ini_set('open_basedir', $folder);
$attempt(fn() => finfo_open(0, '/nonexistent'));
$attempt(fn() => new finfo(0, '/nonexistent'));
$attempt(fn() => mime_content_type('/etc/passwd'));
array_map('unlink', ['text', 'empty', 'rules', 'wrong', 'folder/a', 'folder/b']);
rmdir('folder');
chdir('..');
rmdir($folder);
