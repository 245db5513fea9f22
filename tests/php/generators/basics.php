<?php
// Keys, values, laziness, return values.
function numbers($n) { echo '[start]'; for ($i = 1; $i <= $n; $i++) { echo "[yield $i]"; yield "k$i" => $i * 10; } echo '[end]'; return 'result'; }
$g = numbers(2);
echo 'created ';
foreach ($g as $k => $v) {
    echo "$k=>$v ";
}
echo $g->getReturn(), "\n";
function bare() { $x = yield; var_dump($x); $y = yield 1 + 1; var_dump($y); return [$x, $y]; }
$b = bare();
var_dump($b->current(), $b->send('first'), $b->send('second'), $b->valid(), $b->getReturn());
function mixed() { yield 1; yield 'a' => 2; yield 3; yield 10 => 4; yield 5; }
foreach (mixed() as $k => $v) { echo "$k=$v "; }
echo "\n";
$inf = (function () { $i = 0; while (true) { yield $i++; } })();
foreach ($inf as $v) { if ($v > 3) { break; } echo $v; }
echo $inf->current(), "\n";
try {
    $g->rewind();
    foreach ($g as $x);
} catch (Exception $e) {
    echo $e->getMessage(), "\n";
}
