<?php
// Included files share the variables, return values and declare functions.
$dir = sys_get_temp_dir() . '/phlox-include-' . getmypid();
mkdir($dir);
file_put_contents("$dir/a.php", '<?php $fromA = ($given ?? "nothing") . basename(__FILE__); function inA() { return __FUNCTION__; } return ["value", $fromA];');
file_put_contents("$dir/b.php", 'plain text <?= $given ?>!' . "\n");
file_put_contents("$dir/broken.php", '<?php $x = ;');
$given = 'G';
echo json_encode(include "$dir/a.php"), inA(), $fromA, "\n";
echo include "$dir/b.php", "\n";
var_dump(include_once "$dir/a.php", (function () use ($dir) { $given = 'inner'; include "$dir/b.php"; })());
try {
    require "$dir/broken.php";
} catch (ParseError $e) {
    echo $e->getMessage(), ' ', basename($e->getFile()), ':', $e->getLine(), "\n";
}
var_dump(@include "$dir/none.php");
echo count(get_included_files()), "\n";
array_map('unlink', glob("$dir/*"));
rmdir($dir);
