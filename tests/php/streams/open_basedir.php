<?php
// Outside of open_basedir nothing is read, written or told.
$root = sys_get_temp_dir() . '/phlox-basedir-' . getmypid();
mkdir("$root/in/sub", 0777, true);
mkdir("$root/out");
mkdir("$root/inside");
file_put_contents("$root/in/a", 'a');
file_put_contents("$root/out/b", 'b');
symlink("$root/out/b", "$root/in/link");
ob_start(fn($text) => str_replace([$root, realpath($root)], '{root}', $text));
var_dump(ini_set('open_basedir', "$root/in"));
var_dump(file_get_contents("$root/in/a"), is_dir("$root/in"), count(scandir("$root/in")));
foreach (['file_get_contents', 'file_exists', 'is_writable', 'filesize', 'unlink', 'touch', 'opendir', 'realpath', 'readlink',
          'disk_free_space', 'chdir', 'mkdir', 'rmdir'] as $function) {
    var_dump($function("$root/out/b"));
}
var_dump(file_get_contents("$root/in/link"), file_get_contents("$root/in/sub/../../out/b"), is_dir("$root/inside"));
var_dump(rename("$root/in/a", "$root/out/a"), copy("$root/in/a", "$root/out/a"), symlink('../out/b', "$root/in/other"));
var_dump(glob("$root/out/*"), tempnam("$root/out", 'x'), file_put_contents("$root/in/new", 'x'));
var_dump(ini_set('open_basedir', "$root/in/sub") === "$root/in", ini_set('open_basedir', $root), is_file("$root/in/a"));
ob_end_flush();
exec('rm -rf ' . escapeshellarg($root));
