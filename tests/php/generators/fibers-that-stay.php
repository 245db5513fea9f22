<?php
// Tick functions cannot switch fibers.
declare(ticks=1);
function tick() {
    if (Fiber::getCurrent() === null) { return; }
    try { Fiber::suspend(); } catch (FiberError $e) { echo $e->getMessage(), "\n"; }
    try { (new Fiber(fn() => 1))->start(); } catch (FiberError $e) { echo $e->getMessage(), "\n"; }
}
register_tick_function('tick');
$fiber = new Fiber(function () {
    echo "in\n";
    unregister_tick_function('tick');
    Fiber::suspend();
    echo "out\n";
});
$fiber->start();
$fiber->resume();
