<?php
// What goes deep through builtin functions ends in an Error that can be caught, and runs what has to be run.
function again($a) { return array_map('again', [1]); }
function text($n) { return "x" . new Deep($n + 1); }
class Deep { function __construct(public $n) {} function __toString() { return text($this->n); } function __get($name) { return $this->{$name . 'x'}; } }
function attempt($what) {
    try {
        $what();
    } catch (Error $e) {
        echo get_class($e), ' ', preg_replace('/\d+/', 'N', $e->getMessage()), "\n";
    } finally {
        echo "finally\n";
    }
}
attempt(fn() => again(1));
attempt(fn() => text(0));
attempt(fn() => usort($GLOBALS['list'], $sort = function ($a, $b) use (&$sort) { $l = [2, 1]; usort($l, $sort); return 0; }));
$list = [3, 2, 1];
attempt(fn() => usort($GLOBALS['list'], $sort = function ($a, $b) use (&$sort) { $l = [2, 1]; usort($l, $sort); return 0; }));
attempt(function () { $f = function ($m) use (&$f) { return preg_replace_callback('/a/', $f, 'a'); }; $f(1); });
$fiber = new Fiber(function () { attempt(fn() => again(1)); Fiber::suspend(1); attempt(fn() => text(0)); return 'ended'; });
$fiber->start(); $fiber->resume(); echo $fiber->getReturn(), "\n";
// A text may go deeper than any stack of PHP's parser.
foreach ([4998, 4999, 100000] as $depth) { $json = str_repeat('[', $depth) . str_repeat(']', $depth); echo gettype(json_decode($json, true, 200000)), json_last_error(), ' '; }
foreach ([2499, 2500] as $depth) echo gettype(json_decode(str_repeat('{"a":', $depth) . '1' . str_repeat('}', $depth), true, 200000)), json_last_error(), ' ';
$fiber = new Fiber(fn() => json_decode(str_repeat('[', 100000) . str_repeat(']', 100000), true, 200000)); $fiber->start(); var_dump($fiber->getReturn());
