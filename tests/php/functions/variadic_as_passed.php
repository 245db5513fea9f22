<?php
// What was passed to a variadic parameter stays, whatever becomes of its variable.
function appended(...$c) { $c[] = 1; return func_get_args(); }
function shifted($first, ...$c) { array_shift($c); $first = 'changed'; return [func_num_args(), func_get_args(), $c]; }
function by_reference(&...$c) { $c[0] = 'new'; unset($c[1]); return func_get_args(); }
function by_name(...$names) { foreach ($names as &$n) { $n = 'x'; } unset($n); extract(['names' => 5]); ${'names'} = 6; return func_get_args(); }
function looped(...$l) { foreach ($l as $k => $v) { unset($l[$k]); } return [func_get_arg(1), func_get_args()]; }
function thrown(int $n, ...$c) { $c = null; throw new Exception('e'); }
function traced(...$c) { [$c] = [[]]; return debug_backtrace()[0]['args']; }
function gen(...$c) { $c = 1; yield func_get_args(); }
echo json_encode([appended(), appended(7), shifted(1, 2, 3), by_name(1, 2), looped(4, 5)]), "\n";
$a = 1; $b = 2;
echo json_encode([by_reference($a, $b), $a, $b]), "\n";
ini_set('zend.exception_ignore_args', 0);
try { thrown(1, 'a', 'b'); } catch (Exception $e) { echo json_encode($e->getTrace()[0]['args']), "\n"; }
echo json_encode(traced(1, 2)), json_encode(traced(...['x' => 1, 'y' => 2])), "\n";
foreach (gen(1, 2) as $args) { echo json_encode($args), "\n"; }
echo json_encode(call_user_func_array('appended', [3, 4])), json_encode((fn (...$r) => [func_get_args(), $r])(8, 9)), "\n";

// Too few arguments are counted up to the last one that was named.
function named(int $a, &$b, string ...$rest) { }
function plain(int $a, $b, $c) { }
foreach ([fn () => named(a: 1, more: 'x'), fn () => plain(b: 1), fn () => plain(a: 1, b: 2), fn () => plain(1, c: 2), fn () => plain(a: 'x')] as $call) {
    try { $call(); } catch (Error $e) { echo get_class($e), ': ', preg_replace('/ in .* on line/', ' on line', $e->getMessage()), "\n"; }
}
