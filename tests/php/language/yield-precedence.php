<?php
// yield inside expressions and arguments.
function g() { $x = (yield 1) + (yield 2); echo "sum $x\n"; $y = yield 'k' => 'v'; $z = [yield, yield]; return strtoupper(yield 'arg') . json_encode($z) . $y; }
$g = g();
echo $g->current(), $g->send(10), $g->send(20), $g->key(), "\n";
$g->send('y');
$g->send('first');
echo $g->send('second'), "\n";
$g->send('shout');
echo $g->getReturn(), "\n";
$lazy = (fn() => yield from [1, 2])();
foreach ($lazy as $v) { echo $v; }
function cond($b) { if ($b) { return 'early'; } yield 1; }
echo cond(true)->valid() ? 'valid' : 'finished', cond(true)->getReturn(), "\n";
function inCall() { return max(yield 1, yield 2); }
$c = inCall();
$c->current();
$c->send(5);
$c->send(9);
echo $c->getReturn(), "\n";
