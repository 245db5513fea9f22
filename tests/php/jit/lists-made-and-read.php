<?php
// Lists that a function makes and reads: there is none to be looked at when it is compiled.
function squares(int $n) { $w = []; for ($i = 0; $i < 8; $i++) { $w[$i] = $i + $n; } for ($i = 8; $i < $n; $i++) { $w[$i] = ($w[$i - 8] * 3 + $w[$i - 1]) & 0xffff; } $sum = 0; for ($i = 0; $i < max(8, $n); $i++) { $sum += $w[$i]; } return $sum; }
function floats(int $n) { $w = [0.5]; for ($i = 1; $i < $n; $i++) { $w[] = $w[$i - 1] * 1.01; } return round($w[$n - 1], 6); }
function tables(int $n) { $t = []; for ($i = 0; $i < $n; $i++) { $t[$i * 3] = $i; } $sum = 0; for ($i = 0; $i < $n; $i++) { $sum += $t[$i * 3]; } return $sum; }
function either(int $n, bool $list) { $t = $list ? [] : [1000 => 0]; for ($i = 0; $i < $n; $i++) { $t[$i] = $i; } $sum = 0; for ($i = $n - 1; $i >= 0; $i--) { $sum += $t[$i] * $i; } return $sum; }
function kinds(int $n) { $t = []; for ($i = 0; $i < $n; $i++) { $t[$i] = $i % 5 ? $i : "s$i"; } $text = ''; for ($i = 0; $i < $n; $i++) { $x = $t[$i]; $text .= is_int($x) ? '#' : $x; } return $text; }
function rows(int $n) { $g = []; for ($y = 0; $y < 4; $y++) { $row = []; for ($x = 0; $x < $n; $x++) { $row[$x] = $x * $y; } $g[$y] = $row; } $sum = 0; for ($y = 0; $y < 4; $y++) { $row = $g[$y]; for ($x = 0; $x < $n; $x++) { $sum += $row[$x] + $g[$y][$n - 1 - $x]; } } return $sum; }
function missing(int $n) { $t = []; for ($i = 0; $i < $n; $i++) { $t[$i] = $i; } unset($t[3]); $sum = 0; for ($i = 0; $i <= $n; $i++) { $sum += @$t[$i]; } return $sum; }
for ($round = 0; $round < 200; $round++) {
    $n = 9 + $round % 30;
    $out = [squares($n), floats($n), tables($n), either($n, $round % 3 > 0), kinds($n), rows($n), missing($n)];
    $hash = md5(($hash ?? '') . json_encode($out));
}
echo $hash, "\n", json_encode($out), "\n";
