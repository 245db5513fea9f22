<?php
// Variables of large loops that are dead where ways meet: what they hold when the loop is left, early or at its end.
function mix(int $n, $odd, $stop) {
    $a = 1; $b = 2; $c = 3; $d = 0xffffffff; $e = 7; $f = 1.5; $log = '';
    $h = [3, 1, 4, 1, 5, 9, 2, 6];
    for ($i = 0; $i < $n; $i++) {
        $s0 = ($a >> 2 | $a << 30) & 0xffffffff;
        $s1 = ($b >> 6 | $b << 26) & 0xffffffff;
        $ch = ($a & $b) ^ (~$a & $c);
        $t1 = ($d + $s1 + $ch + $h[$i & 7] + $i) & 0xffffffff;
        $t2 = ($s0 + $ch) & 0xffffffff;
        $half = $t1 / 2;
        $kind = $i % 3 ? $i : "k$i";
        $name = $odd ? "n$kind" : $i;
        if ($i === $stop) { $note = [$s0, $s1, $kind]; break; }
        $list = [$i, $name];
        $f += $half > 1000 ? 0.25 : $e;
        $d = $c; $c = $b; $b = $a;
        $a = ($t1 + $t2) & 0xffffffff;
        if ($i % 17 === 16) { $log .= strlen((string) $name) . $list[0] . ';'; }
    }
    return [$a, $b, $c, $d, $f, $log, $s0 ?? null, $s1 ?? null, $ch ?? null, $t1 ?? null, $t2 ?? null, $half ?? null, $kind ?? null, $name ?? null, $list ?? null, $note ?? null];
}
function grows(int $n) {
    $x = PHP_INT_MAX - 5 * $n; $seen = []; $y = 0; $p = 1; $q = 2; $r = 3; $big = 0;
    for ($i = 0; $i < 2 * $n; $i++) {
        $step = $i & 7;
        $old = $x; $p = $i ^ $y; $q = $p | 3; $r = $q & 255; $more = $r + $q + $p; $less = $r - $q - $p;
        $x = $x + $step;
        $y = ($y - 3) & 0xffff; $z = $y + $step; $w = $z - $step; $v = $w * 2; $u = $v >> 1; $t = $u << 1;
        if (is_float($x)) { $big = $i; $x = PHP_INT_MAX - 100; $seen = [$old, $step]; }
    }
    return [$x, $y, $big, $seen, $more, $less, $t];
}
function references(int $n) {
    $k = 0; $r = &$k;
    for ($i = 0; $i < $n; $i++) {
        $p = $i ^ 5; $q = $p | 3; $s = $q & 255; $t = $s + $q + $p; $u = $s - $q - $p; $v = $t * 2; $w = $v >> 1; $x = $w << 1; $y = $x + $u; $z = $y - $v;
        $k += $z & 3; $o = [$i]; $m = "m$k"; $l = $i / 3; $j = $l > 5 ? $m : $o; $g = $p + $q + $s + $t; $f = $g + $u + $v + $w; $e = $f ^ $x; $d = $e | $y; $c = $d & $z;
    }
    return [$r, $c ?? 0, $j ?? 0, $m ?? 0];
}
for ($round = 0; $round < 200; $round++) {
    $out = [mix(5 + $round, $round & 1, $round % 7 ? -1 : $round), grows(30 + $round), references($round)];
    $hash = md5(($hash ?? '') . json_encode($out));
}
echo $hash, "\n", json_encode($out), "\n";
