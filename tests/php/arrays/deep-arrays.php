<?php
// Arrays of any depth are walked; what holds itself is noticed at once.
$a = null;
for ($i = 0; $i < 3000; $i++) {
    $a = [$i => $a];
}
$n = 0;
var_dump(array_walk_recursive($a, function () use (&$n) { $n++; }), $n);
var_dump(count(array_replace_recursive($a, $a), COUNT_RECURSIVE));
var_dump(count(array_merge_recursive($a, $a), COUNT_RECURSIVE));
var_dump(strlen(http_build_query($a)), strlen(http_build_query([$a, 'x' => ['y' => [1, 2], 'z' => true]], 'p')));
$b = ['s' => [1]];
$b['s']['s'] = &$b['s'];
foreach ([fn() => array_walk_recursive($b, function ($v) { echo "saw $v\n"; }), fn() => array_merge_recursive($b, $b), fn() => array_replace_recursive($b, $b)] as $f) {
    try {
        var_dump($f());
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
}
