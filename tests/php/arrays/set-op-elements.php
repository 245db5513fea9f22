<?php
// `$a[$k] += ...` of lists, tables, shared arrays, references, missing elements and other kinds of keys.
function sums(array $keys, $by) {
    $a = [1, 2.5, PHP_INT_MAX, "4", null];
    $copy = $a;
    foreach ($keys as $k) { $a[$k] += $by; $a[$k] -= 1; }
    return [$a, $copy];
}
echo json_encode(sums([0, 1, 3, 4, "1", 1, 0], 2)), "\n";
echo json_encode(sums([2, 0, 1], 1.5)), "\n";
var_dump(sums([2, 2], 1)[0][2]);
function words($text) {
    $count = [];
    foreach (explode(' ', $text) as $word) {
        if (!isset($count[$word])) $count[$word] = 0;
        $count[$word] += 1;
        $count[$word]++;
    }
    return $count;
}
echo json_encode(words("a b a 1 2 1 c a")), "\n";
function missing() { $a = [1]; $k = 3; $a[$k] += 2; $k = "x"; $a[$k] -= 2; $k = null; $a[$k] += 1; return $a; }
var_dump(missing());
function refs() { $a = [1, 2]; $r = &$a[1]; for ($k = 0; $k < 2; $k++) { $a[$k] += 10; } $b = $a; $k = 1; $b[$k] += 1; return [$a, $r]; }
echo json_encode(refs()), "\n";
function text() { $s = "abc"; $k = 1; try { $s[$k] += 1; } catch (Error $e) { echo $e->getMessage(), "\n"; } }
text();
function filled() { $a = array_fill(0, 3, 1.5); $k = 1; $a[$k] += 2; $a[$k] -= 0.25; return $a; }
echo json_encode(filled()), "\n";
