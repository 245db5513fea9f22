<?php
// Functions that pass their own variables by reference: those lie in the frame from then on.
function words(string $s): array {
    $out = [];
    $n = 0;
    for ($i = 0; $i < 3; $i++) {
        if (preg_match('/^(\w+)\s*(.*)$/', $s, $m)) {
            $out[] = strtoupper($m[1]);
            $n += strlen($m[2]);
            $s = $m[2];
        }
    }
    $out[] = $n;
    return $out;
}
function swap(array $a): array {
    $x = array_pop($a);
    $y = array_shift($a);
    $b = $a;
    sort($a);
    $b[] = $x;
    $b[] = count($a);
    end($b);
    return [$x, $y, $b, $a, key($b)];
}
function add(int &$s, int $by): int { $s += $by; return $s; }
function total(int $n): int {
    $t = 1;
    for ($i = 0; $i < $n; $i++) { $u = add($t, $i); if ($i == 5) $t = 100; $t++; }
    return $t + $u;
}
function refs(array $list) {
    $seen = [];
    $m = null;
    foreach ($list as $k => $v) {
        if (preg_match("/b+/", $v, $m)) { $seen[] = $m[0]; unset($m); }
        if (isset($m)) $seen[] = count($m);
        $m = [$k];
        str_replace('a', 'c', $v, $count);
        $seen[] = $count;
        $copy = $seen;
        if ($k % 2) array_push($seen, $v, $k);
        array_unshift($copy, 1);
    }
    return [$seen, $m, $count, $copy];
}
function thrower(array $a) {
    try { $q = array_pop($a); if ($q > 3) throw new Exception("x$q"); return $q; } catch (Exception $e) { sort($a); return $e->getMessage() . count($a); } finally { $a[] = 1; }
}
$h = '';
for ($r = 0; $r < 3000; $r++) {
    $h = md5($h . json_encode(words("hello big world $r")) . json_encode(swap([5, 3, $r, 'x' => 7, 9])) . total(9) . json_encode(refs(["ab$r", "bb", "aca", $r . 'b'])) . thrower([1,2,$r%7]));
}
echo $h, "\n";
echo memory_get_usage() < 4000000 ? "ok\n" : "leak\n";
