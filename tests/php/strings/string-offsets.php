<?php
// Reading and writing characters, padding, errors.
$s = 'abc';
echo $s[0], $s[-1], $s['1'], "\n";
$s[1] = 'X';
$s[5] = 'YZ';
var_dump($s);
foreach ([function () { $s = 'abc'; $s[] = 'd'; }, function () { $s = 'abc'; $s[0] = ''; }, function () { $s = 'abc'; $s['x'] = 'y'; }, function () { $s = 'abc'; $s[0][0] = 'y'; }, function () { $s = 'abc'; unset($s[0]); }, function () { $s = 'abc'; $r = &$s[0]; }, function () { $s = 'abc'; foreach ($s[0] as $x); }, function () { $s = 'abc'; $s[-5] = 'x'; var_dump($s); }, function () { $s = 'abc'; var_dump($s[1.7], $s[true]); }, function () { $s = 'abc'; $s[0] .= 'x'; }] as $f) {
    try {
        $f();
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
var_dump(isset($s[0]), isset($s[99]), isset($s['1']), isset($s['1.5']), isset($s['x']), isset($s[0][0]), isset($s[0][1]), $s[0][0]);
$e = '';
try {
    $e[3] = 'x';
    var_dump($e);
} catch (Error $x) {
    echo $x->getMessage();
}
for ($i = 0; $i < strlen($s); $i++) { echo ord($s[$i]), ' '; }
