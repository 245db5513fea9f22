<?php
// A hot loop that sends to a generator, in the main program and in a function.
function averager() {
    $sum = $n = 0;
    while (true) {
        $x = yield $n ? intdiv($sum, $n) : 0;
        if ($x === null) {
            return $sum;
        }
        if ($x === 77) {
            throw new Exception("at $n");
        }
        $sum += $x;
        $n++;
    }
}

function total(int $times): int
{
    $g = averager();
    $g->current();
    $all = 0;
    for ($i = 0; $i < $times; $i++) {
        $all += $g->send($i % 50);
    }
    $g->send(null);
    return $all + $g->getReturn();
}

function counted(int $times): int
{
    $count = 0;
    $g = (function () use ($times) {
        for ($i = 0; $i < $times; $i++) {
            yield $i => $i;
        }
    })();
    while ($g->valid()) {
        $count += $g->current() + $g->key();
        $g->next();
    }
    return $count;
}

$g = averager();
$g->current();
$all = 0;
for ($i = 0; $i < 30000; $i++) {
    $all += $g->send($i % 50);
}
echo $all, "\n";
try {
    for ($i = 0; $i < 200; $i++) {
        $all += $g->send($i);
    }
} catch (Exception $e) {
    echo $e->getMessage(), " $i\n";
}
var_dump($g->valid());
echo total(20000), "\n";
echo counted(20000), "\n";
for ($i = 0, $sum = 0; $i < 3; $i++) {
    $sum += counted(1000);
}
echo $sum, "\n";
