<?php
// Functions whose parameters are references, called from loops and from each other.
function lcg(int &$s): int { $s = ($s * 1103515245 + 12345) & 0x7fffffff; return $s; }
function add(&$to, $what) { $to += $what; return $to; }
function both(&$a, &$b, int $n): int { $a = $a + $n; $b = $b * 2 % 1000; return $a - $b; }
function put(array &$list, $key, $value): int { $list[$key] = $value; return count($list); }
function push(array &$list, $value): void { $list[] = $value; }
function take(array $list, int $n): int { return $list[0] + $n; }
function lent(array &$list): int { return take($list, grow($list)) + count($list); }
function grow(array &$list): int { $list[0]++; $list[] = $list[0]; return count($list); }
function sort3(array &$a, int $lo, int $hi): void
{
    while ($lo < $hi) {
        $p = $a[($lo + $hi) >> 1];
        $i = $lo;
        $j = $hi;
        while ($i <= $j) {
            while ($a[$i] < $p) { $i++; }
            while ($a[$j] > $p) { $j--; }
            if ($i <= $j) {
                $t = $a[$i];
                $a[$i] = $a[$j];
                $a[$j] = $t;
                $i++;
                $j--;
            }
        }
        if ($j - $lo < $hi - $i) { sort3($a, $lo, $j); $lo = $i; } else { sort3($a, $i, $hi); $hi = $j; }
    }
}
function twice(array &$a, array &$b): int { $a[0] = $a[0] + 1; $b[0] = $b[0] + 1; return $a[0]; }
function text(string &$s, string $more): int { $s .= $more; if (strlen($s) > 40) { $s = substr($s, 0, 3); } return strlen($s); }
final class Box { public int $n = 1; public ?array $list = null; public int|string $either = 5; }
function bump(&$n, $by) { $n = $n + $by; return $n; }
function swap(&$x, &$y): void { $t = $x; $x = $y; $y = $t; }

$seed = 42; $list = []; $sum = 0;
for ($i = 0; $i < 3000; $i++) { $list[] = lcg($seed) % 1000; }
$copy = $list;
sort3($list, 0, count($list) - 1);
echo $list[0], ' ', $list[1500], ' ', $list[2999], ' ', $copy === $list ? 'same' : 'other', ' ', $seed, "\n";
$a = 1; $b = 2; $f = 0.5; $keys = ['x' => 1]; $t = '';
for ($i = 0; $i < 3000; $i++) {
    $sum += both($a, $b, $i & 7) + add($f, 0.25) + put($keys, "k" . ($i % 50), $i) + text($t, 'ab');
    $sum = (int)$sum % 1000003;
}
echo "$a $b $f ", count($keys), " $t $sum\n";
// One variable twice, arrays that are shared, and what was read before it was changed.
$one = [1, 2, 3]; $two = $one; $n = 5;
for ($i = 0; $i < 2000; $i++) {
    $sum += twice($one, $one);
    $sum += twice($one, $two);
    $sum += both($n, $n, 3);
    $sum %= 1000003;
}
echo json_encode([$one, $two, $n, $sum]), "\n";
$small = [1];
for ($i = 0; $i < 600; $i++) { $sum += lent($small); if (count($small) > 9) { $small = [$i]; } }
echo json_encode($small), " $sum\n";
// Properties, elements, and kinds that change; a type behind a reference.
$box = new Box; $box->list = [3]; $el = ['n' => 1, 'm' => [0]];
for ($i = 0; $i < 2000; $i++) {
    bump($box->n, 2);
    bump($el['n'], 1);
    push($el['m'], $i);
    push($box->list, $i);
    if ($i % 500 === 499) { bump($f, 1); $v = $i === 999 ? 1.5 : 1; bump($v, 1); bump($box->either, 2); }
    swap($a, $b);
}
echo $box->n, ' ', $el['n'], ' ', count($el['m']), ' ', count($box->list), ' ', $box->either, ' ', $f, " $v $a $b\n";
try {
    for ($i = 0; $i < 500; $i++) { bump($box->n, $i < 400 ? 1 : PHP_INT_MAX); }
} catch (TypeError $e) {
    echo get_class($e), ': ', $e->getMessage(), ' ', $box->n, "\n";
}
try {
    $str = 'x';
    for ($i = 0; $i < 300; $i++) { $r = $i < 290 ? 3 : $str; lcg($r); }
} catch (TypeError $e) {
    echo substr($e->getMessage(), 0, 40), " $r\n";
}
function undefined_later(&$u, $i) { if ($i & 1) { $u = $i; } return isset($u) ? 1 : 0; }
$got = 0;
for ($i = 0; $i < 1000; $i++) { unset($w); $got += undefined_later($w, $i); }
echo $got, "\n";
