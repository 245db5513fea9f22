<?php
//: ini phar.readonly=0
//: one-request leaves files
// Archives outside of open_basedir are neither read nor made nor changed.
$root = realpath(sys_get_temp_dir()) . '/phlox-phar-basedir-' . getmypid();
mkdir("$root/in", 0777, true);
mkdir("$root/out");
$known = new PharData("$root/out/known.tar");
$known['a'] = 'secret';
copy("$root/out/known.tar", "$root/out/other.tar");
copy("$root/out/known.tar", "$root/in/own.tar");
unset($known);
ini_set('open_basedir', "$root/in");
var_dump(@file_get_contents("phar://$root/out/other.tar/a"), @is_file("phar://$root/out/other.tar/a"));
foreach (["$root/out/other.tar", "$root/out/new.tar", "$root/in/own.tar", "$root/in/new.tar"] as $path) {
    try {
        $archive = @new PharData($path);
        $archive['b'] = 'b';
        echo basename($path), ' ', file_get_contents("phar://$path/b"), "\n";
    } catch (Exception $e) {
        echo get_class($e), ': ', str_replace($root, '{root}', $e->getMessage()), "\n";
    }
}
var_dump(@file_put_contents("phar://$root/out/new.phar/x", 'x'), @file_put_contents("phar://$root/in/new.phar/x", 'x'));
