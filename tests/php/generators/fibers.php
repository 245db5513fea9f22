<?php
// Fibers suspend anywhere in the call stack.
function deep($x) { return Fiber::suspend("deep $x"); }
$fiber = new Fiber(function (string $a): string {
    echo "started with $a\n";
    $b = deep(1);
    echo "resumed with $b\n";
    try {
        Fiber::suspend('second');
    } catch (Exception $e) {
        echo 'caught ', $e->getMessage(), "\n";
    }
    return 'finished';
});
var_dump($fiber->start('arg'), $fiber->isSuspended(), $fiber->resume('value'), $fiber->throw(new Exception('thrown in')), $fiber->isTerminated(), $fiber->getReturn());
$out = [];
$tasks = array_map(fn($n) => new Fiber(function () use ($n, &$out) { foreach (range(1, 3) as $i) { $out[] = "$n$i"; Fiber::suspend(); } }), ['a', 'b']);
foreach ($tasks as $t) { $t->start(); }
while ($tasks = array_filter($tasks, fn($t) => !$t->isTerminated())) { foreach ($tasks as $t) { $t->resume(); } }
echo implode(' ', $out), "\n";
foreach ([fn() => $fiber->resume(), fn() => Fiber::suspend(1), fn() => (new Fiber(fn() => 1))->getReturn()] as $f) {
    try {
        $f();
    } catch (FiberError $e) {
        echo $e->getMessage(), "\n";
    }
}
function gen() { $x = yield Fiber::suspend('from generator'); echo "gen got $x\n"; }
$f = new Fiber(function () { $g = gen(); $g->current(); $g->send('sent'); });
echo $f->start(), "\n";
$f->resume('r');
