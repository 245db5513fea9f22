<?php
// Names of included files are looked for along include_path, then beside the script; those with a leading dot only in the working
// directory.
$root = sys_get_temp_dir() . '/phlox-include-' . getmypid();
foreach (['', '/sub', '/path'] as $folder) {
    mkdir($root . $folder);
}
file_put_contents("$root/here.php", '<?php return "here in root";');
file_put_contents("$root/sub/here.php", '<?php return "here in sub";');
file_put_contents("$root/sub/only.php", '<?php return "only in sub";');
file_put_contents("$root/path/along.php", '<?php return "along the path";');
file_put_contents("$root/path/here.php", '<?php return "here in path";');
file_put_contents("$root/sub/asks.php", '<?php return [@include "here.php", @include "only.php", @include "./only.php", @include "along.php", @include "../here.php"];');
chdir($root);
set_include_path('.');
echo json_encode(include 'sub/asks.php'), "\n";
set_include_path("$root/path");
echo json_encode(include 'sub/asks.php'), "\n";
set_include_path("$root/path:.");
echo json_encode(include './sub/asks.php'), "\n";
chdir("$root/sub");
echo json_encode(include 'asks.php'), "\n";
set_include_path('../path');
echo json_encode(include './asks.php'), "\n";
var_dump(stream_resolve_include_path('along.php') === realpath("$root/path/along.php"), stream_resolve_include_path('./along.php'));
var_dump(count(array_filter(get_included_files(), fn($file) => str_starts_with($file, realpath($root)))));
var_dump((include_once 'here.php'), (include_once '../path/here.php'), (require_once "$root/sub/../path/here.php"));
chdir('/');
foreach (['sub/asks', 'sub/only', 'sub/here', 'path/along', 'path/here', 'here'] as $file) {
    unlink("$root/$file.php");
}
array_map('rmdir', ["$root/sub", "$root/path", $root]);
