<?php
// Functions that PHP calls without a frame read plain variables last, also in a namespace; a name that the namespace may have is
// looked up first, so that such a call among the arguments of another one is a usual call.
namespace {
function read() { echo "-- no namespace\n"; min($x, $y[0]); in_array($x, $y['k'] ?? [1]); max($x, $y[1], $z); trim(min($x, $y[2])); str_contains($s ?? '', "$t"); }
read();
function assigned($p) {
    echo "-- assigned\n";
    $a = 1;
    if ($p) { $b = 2; }
    foreach ([1] as $c) { max($c, $u1); }
    max($a, $u2[0]); max($b, $u3[0]); max($c, $u4[0]); max($p, $u5[0]);
    $list = [5];
    while ($d = array_shift($list)) { max($d, $u6[0]); }
    unset($a);
    max($a, $u7[0]);
    for ($i = 0; $i < 1; $i++) { max($i, $u8[0]); }
    max($i, $u9[0]);
    switch ($e = 1) { case 1: $f = 1; max($e, $v1[0]); max($f, $v2[0]); default: max($f, $v3[0]); }
    try { $g = 1; max($g, $v4[0]); } catch (\Exception $h) { max($h, $v5[0]); } finally { max($g, $v6[0]); }
    [$j, [$k]] = [1, [2]]; max($j, $v7[0]); max($k, $v8[0]);
    static $l = 1; max($l, $v9[0]);
    do { $m = 1; max($m, $w1[0]); } while (false);
    max($m, $w2[0]);
}
assigned(false);
}
namespace N {
function strpos(&$place, $text) { $place = "own $place"; return $text; }
function give($x) { return $x; }
function read() {
    echo "-- in a namespace\n";
    min($x, $y[0]); \min($x, $y[1]); in_array($x, $y['k'] ?? [1]); max($x, $y[2], $z); trim(min($x, $y[3])); trim(\min($x, $y[4]));
    $f = fn() => \max(fn() => min($x, $y[5]), 1);
    trim((fn() => min($x, $y[6]))());
    $a = 'a'; $b = 'b';
    var_dump(min($a, $a = 'A'), max($a, $a = 'Z'), strpos($a, $a = 'q'), strpos($b, $c[1]), $a, $b);
    var_dump(str_replace($b, give($b), 'own b'), max($a, give($a)));
}
read();
}
namespace {
// Parts of a text are converted as they are met, which shows where a later one is undefined.
function texts(array $list, $object) {
    $known = 1;
    echo "<{$list}:$known>", "<{$list}:$none>", "$list$object$none$list", "{$list[0]}$none[0]$list\n";
    foreach ([1] as $each) {
        echo "$list$each\n";
    }
    (function () use ($list, $known) { echo "$list$known$none\n"; })();
    (fn() => print("$list$none\n"))();
}
texts([1], new class { function __toString(): string { echo 'converted '; return 'o'; } });
}
