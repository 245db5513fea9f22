<?php
// Results that go through a reference which holds another kind: both ways of a division, and two places of one opline.
function divided(&$result, int $n) { $result = $n / 7; return $result; }
function counted(&$from, &$to) { $to = $from++; }
function &shared() { static $kept = 1; return $kept; }
function plain($n) { return $n; }

$x = 1;
$sum = 0;
for ($i = 1; $i < 3000; $i++) {
    $sum += divided($x, $i * 7 + ($i % 1000 == 0));
    if (!is_int($x)) {
        echo $x, ' ';
        $x = 1;
    }
}
echo $sum, "\n";

$x = 1;
$y = 2.5;
for ($i = 0; $i < 3000; $i++) {
    counted($x, $y);
    if ($i % 500 == 499) {
        $y = 'a';
    }
}
var_dump($x, $y);

// A call that wants a reference gets one, whoever makes it.
$sum = 0;
for ($i = 0; $i < 3000; $i++) {
    $sum += plain($i) + plain($i) + plain($i) + plain($i) + plain($i);
    if ($i % 1000 === 0) {
        $r = &shared();
        $r += $i;
        unset($r);
    }
    $sum += shared();
}
echo $sum, "\n";
