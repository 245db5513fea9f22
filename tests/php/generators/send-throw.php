<?php
// send, throw, exceptions from inside, states.
function loop() { while (true) { try { $x = yield; echo "got $x\n"; if ($x === 'stop') { return 'stopped'; } } catch (LogicException $e) { echo 'caught ', $e->getMessage(), "\n"; yield 'from catch'; } } }
$g = loop();
$g->current();
$g->send('a');
var_dump($g->throw(new LogicException('in')));
$g->next();
$g->send('stop');
var_dump($g->valid(), $g->getReturn());
function failing() { yield 1; throw new RuntimeException('inside'); }
try {
    foreach (failing() as $v) { echo $v; }
} catch (RuntimeException $e) {
    echo $e->getMessage(), "\n";
}
$h = failing();
try {
    $h->throw(new Exception('before start'));
} catch (Exception $e) {
    echo $e->getMessage(), "\n";
}
var_dump($h->valid());
try {
    (function () { yield 1; })()->getReturn();
} catch (Exception $e) {
    echo $e->getMessage(), "\n";
}
function self() { global $s; yield $s->current(); }
$s = self();
try {
    $s->current();
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
