<?php
// One position in several lists is checked at once: lists that end early, are written in between, or are something else later.
function sum3(array $a, array $b, array $c, int $n): string
{
    $s = 0;
    $log = '';
    for ($i = 0; $i < $n; $i++) {
        $s += $a[$i] * 3 + $b[$i] * 5 + ($c[$i] ?? -1) + $b[$i];
        if ($i % 97 == 0) {
            $log .= "$i:$s ";
        }
    }
    return $log . $s;
}

function shift(array $a, array $b, int $n): array
{
    $w = count($a);
    $out = [];
    for ($i = 0; $i < $n; $i++) {
        $l = $i === 0 ? $w - 1 : $i - 1;
        $r = $i === $w - 1 ? 0 : $i + 1;
        $out[$i] = $a[$l] + $b[$l] + $a[$r] + $b[$r] - $a[$i] - $b[$i];
        $b[$i] = $a[$i] & 7;
        $a[$r] = $out[$i] & 1023;
    }
    return $out;
}

function growing(int $n): int
{
    $a = [1, 2];
    $b = [3, 4];
    $t = 0;
    for ($i = 0; $i < $n; $i++) {
        $t = ($t + $a[$i] + $b[$i]) % 1000003;
        $a[] = $t & 255;
        $b[] = $a[$i + 1] ^ $b[$i];
    }
    return $t;
}

set_error_handler(function (int $level, string $message) { echo $message, "\n"; return true; });
$long = range(1, 3000);
$short = range(5, 2990);
echo sum3($long, $long, $long, 3000), "\n";
echo sum3($long, $long, $short, 3000), "\n";
echo md5(sum3($long, array_slice($long, 0, 2998), $long, 3000)), "\n";
echo md5(sum3(array_slice($long, 0, 2999), $short, [], 2000)), "\n";
echo md5(implode(',', shift($long, array_reverse($long), 3000))), "\n";
echo growing(5000), "\n";
$holes = $long;
unset($holes[2500]);
echo md5(sum3($long, $holes, $long, 3000)), "\n";
