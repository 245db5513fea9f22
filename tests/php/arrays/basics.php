<?php
// Keys, next index, nesting, equality, spread, unset.
$a = [5 => 'five', 'k' => 'v', 'next', '7' => 'seven', 1.9 => 'one', true => 'true', null => 'null'];
var_dump($a);
$b = [-5 => 'a', 'b'];
$b[] = 'c';
echo json_encode($b), "\n";
$c = [1, 2, 3];
unset($c[2]);
$c[] = 'next is 3';
echo json_encode($c), count($c), "\n";
$d = [[1, [2]], 'x' => ['y' => ['z' => 'deep']]];
echo $d['x']['y']['z'], $d[0][1][0], count($d, COUNT_RECURSIVE), "\n";
$d['x']['new'][] = 1;
$d['auto']['vivified']['here'] = true;
echo json_encode($d), "\n";
try {
    $max = [PHP_INT_MAX => 1];
    $max[] = 2;
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
foreach ([fn() => [$a => 1], fn() => [new stdClass => 1], fn() => $a[[]], fn() => isset($a[[]])] as $f) {
    try {
        var_dump($f());
    } catch (TypeError $e) {
        echo $e->getMessage(), "\n";
    }
}
$x = null;
$x[] = 1;
$s = 'str';
try {
    $s[] = 'x';
} catch (Error $e) {
    echo $e->getMessage(), count($x), "\n";
}
$f = false;
$f[] = 1;
