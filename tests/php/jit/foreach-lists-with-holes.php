<?php
// foreach over lists with empty places in compiled code.
function odd(array $list): array { return array_filter($list, fn ($x) => $x & 1); }
function total(array $list) { $sum = 0; foreach ($list as $x) { $sum += $x; } return $sum; }
function keys(array $list) { $text = ''; foreach ($list as $k => $x) { $text .= "$k=$x "; } return $text; }
function until(array $list, $end) { foreach ($list as $k => $x) { if ($x == $end) { return $k; } } return 'none'; }
function pairs(array $list, array $other) { $n = 0; foreach ($list as $x) { foreach ($other as $k => $y) { $n += $x * $k; } } return $n; }
function changed(array $list) { foreach ($list as $k => $x) { unset($list[$k + 1]); $list[] = 1; } return count($list); }
function objects(array $list) { $sum = 0; foreach ($list as $o) { $sum += $o->n; } return $sum; }
class N { function __construct(public int $n) {} function __destruct() { global $gone; $gone++; } }
$gone = 0;
for ($round = 0; $round < 300; $round++) {
    $list = range(0, 20);
    $holes = $list;
    unset($holes[0], $holes[7], $holes[8], $holes[20]);
    $few = [5 => 1, 2, 3];
    $all = [1, 2, 3];
    unset($all[0], $all[1], $all[2]);
    $mixed = [1, 2.5, 'three', null, [4], 5];
    unset($mixed[1], $mixed[4]);
    $made = array_map(fn ($n) => new N($n), range(1, 6));
    unset($made[0], $made[3]);
    $all[] = 9;
    $out = [total(odd($list)), total($holes), total($list), total($few), total($all), keys(odd($list)), keys($holes), keys($all), until($holes, 9),
        until($holes, 99), until(odd($list), 2), pairs($holes, odd($list)), changed($holes), objects($made), count($mixed)];
    $text = '';
    foreach ($mixed as $k => $v) { $text .= $k . gettype($v); }
    $out[] = $text;
    unset($made);
    $line = json_encode($out) . $gone / ($round + 1);
    if ($line !== ($last ?? '')) { echo $line, "\n"; }
    $last = $line;
}
