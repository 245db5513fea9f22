<?php
//: exit 255
// Fibers: cycles through their frames are collected, traces end with their own frames, silence stays outside.

$f = new Fiber(function () use (&$f) { try { Fiber::suspend(1); } finally { echo "cleaned\n"; } });
$f->start();
unset($f);
gc_collect_cycles();
echo "collected\n";

$loud = new Fiber(function () { trigger_error("inside", E_USER_NOTICE); Fiber::suspend(); });
set_error_handler(function ($level, $text) { echo $text, " ", error_reporting() === E_ALL ? "loud" : "silent", "\n"; });
@$loud->start();
@trigger_error("outside");

$t = new Fiber(function () { try { Fiber::suspend(); } finally { throw new Exception("closing"); } });
$t->start();
try {
    $t = null;
} catch (Exception $e) {
    echo preg_replace('~:/.*~', '', $e->getTraceAsString()), "\n";
}
$again = new Fiber(fn() => 1);
try {
    $again->__construct(fn() => 2);
} catch (FiberError $e) {
    echo $e->getMessage(), "\n";
}
class Late { function __destruct() { echo "destroyed after the error\n"; } }
$late = new Late;
throw new Exception("last");
