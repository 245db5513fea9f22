<?php
// What open_basedir means is settled when it is set; nothing opens it again, neither a new folder nor a URI.
$root = realpath(sys_get_temp_dir()) . '/phlox-basedir-stays-' . getmypid();
mkdir("$root/in/sub", 0777, true);
mkdir("$root/out");
file_put_contents("$root/out/secret", 'secret');
(new SQLite3("$root/out/db"))->exec('create table t(a)');
ob_start(fn($text) => str_replace($root, '{root}', $text));
chdir("$root/in");
var_dump(ini_set('open_basedir', ''), ini_set('open_basedir', '.:sub/..'), ini_get('open_basedir'));
chdir("$root/in/sub");
var_dump(@file_get_contents("$root/out/secret"), is_file("$root/in/sub"));
var_dump(ini_set('open_basedir', '..'), ini_get('open_basedir'), ini_set('open_basedir', '../..'), ini_get('open_basedir'));
ini_restore('open_basedir');
var_dump(ini_get('open_basedir'), file_get_contents("$root/out/secret"));
foreach (["$root/out/db", "file:$root/out/db", "FILE:$root/out/db?mode=ro", '../../out/db', 'own'] as $name) {
    foreach (['SQLite3' => $name, 'PDO' => "sqlite:$name"] as $class => $argument) {
        try {
            $db = @new $class($argument);
            echo "$class $name opened\n";
        } catch (Exception $e) {
            echo get_class($e), ': ', $e->getMessage(), "\n";
        }
    }
}
$db = new SQLite3(':memory:');
@$db->enableExceptions(false);
foreach (["'$root/out/db'", "'file:$root/out/db'", "'../../out/db'", "'' || 'x'", "'own2'", "':memory:'"] as $i => $what) {
    var_dump(@$db->exec("attach $what as d$i"));
}
foreach (glob('*') as $file) {
    echo $file, "\n";
}
var_dump(posix_mkfifo("$root/out/fifo", 0600), posix_mkfifo("$root/in/fifo", 0600), posix_access("$root/out"));
var_dump((new DOMDocument)->load("$root/out/secret"), simplexml_load_file("$root/out/secret"), (new XMLReader)->open("$root/out/secret"));
ob_end_flush();
exec('rm -rf ' . escapeshellarg($root));
