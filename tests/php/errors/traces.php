<?php
// getTraceAsString and debug_backtrace show classes, arguments and closures.
class T
{
    public static function st(...$a) { return self::dump(); }
    public function me($x) { return array_map(fn($y) => self::st($y, $x), [1])[0]; }
    private static function dump() { return (new Exception)->getTraceAsString(); }
    public function __toString() { return count(debug_backtrace()) . debug_backtrace()[0]['function']; }
}
echo preg_replace('~/[^ ]*/~', '', (new T)->me('arg')), "\n", new T, "\n";
function outer($a) { return inner([$a], null, 1.0, true, new T, str_repeat('x', 30)); }
function inner() { return preg_replace('~/[^ ]*/~', '', (new Exception('m'))->getTraceAsString()); }
echo outer(5), "\n";
function frames() { foreach (debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS, 2) as $f) { echo $f['function'], ':', $f['line'], ' '; } }
function caller() { frames(); }
caller();
echo "\n", strtok((string) new LogicException('as string', 3), "\n") === 'LogicException: as string in ' . __FILE__ . ':' . __LINE__ ? 'ok' : 'no', "\n";
