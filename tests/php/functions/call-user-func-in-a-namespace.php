<?php
// call_user_func by its fallback name is a call like others: it has a frame.

namespace Somewhere;

function trace(...$args) { foreach (debug_backtrace() as $frame) { echo $frame['function'], isset($frame['line']) ? ':line' : ':-', ' '; } return count($args); }
function changes(&$x, $y = 2) { $x++; return $x . $y; }
class M { public function m($a, $b = 'b') { return $a . $b; } public static function s() { return static::class; } }
function run(): void
{
    for ($round = 0; $round < 2; $round++) {
        echo call_user_func(fn () => trace(1, 2)), "\n";
        echo call_user_func(trace(...), 1, 2, 3, 4, 5, 6), "\n";
        echo call_user_func('Somewhere\trace', 1), call_user_func('strlen', 'abc'), call_user_func('max', 1, 5, 3), "\n";
        $x = 1;
        echo call_user_func('Somewhere\changes', $x), $x, "\n";
        echo call_user_func([new M, 'm'], 'a'), call_user_func([new M, 'm'], b: 1, a: 2), call_user_func('Somewhere\M::s'), "\n";
        try {
            call_user_func(function (int $x) { throw new \Exception('thrown'); }, 5);
        } catch (\Exception $e) {
            echo preg_replace('/.*(#\d+) \S+: /m', '$1 ', $e->getTraceAsString()), "\n";
        }
        try {
            call_user_func('nothing');
        } catch (\TypeError $e) {
            echo $e->getMessage(), "\n";
        }
    }
}
run();
