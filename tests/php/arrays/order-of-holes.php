<?php
// A key below the ones that are there comes last all the same.
$a = [];
$a[3] = "three";
$a[1] = "one";
$a["x"] = "ex";
$a[0] = "zero";
echo json_encode($a), "\n";
print_r(array_reverse([5 => "a", 6 => "b", 7 => "c"], true));
// Elements that become references are still found.
$f = array_flip([2, -20, -2500]);
foreach ($f as $k => &$v) {
    $v = $k * 2;
}
unset($v);
print_r(array_intersect_key($f, [2 => 1, -2500 => 1]));
