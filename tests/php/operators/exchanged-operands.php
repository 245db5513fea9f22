<?php
// Of commutative operators PHP's compiler puts the operand of the later kind first: literal, temporary, result of a call, variable.
set_error_handler(function ($level, $message) { echo "  $message\n"; return true; });
function f($x) { return $x; }
class C { public $p = []; static $s = []; function m() { return []; } static function sm() { return []; } }
function t(callable $f) { try { $f(); } catch (TypeError $e) { echo $e->getMessage(), "\n"; } }
$l = [];
$o = new C;
t(fn() => 2 * $l);
t(fn() => $l * 2);
t(fn() => 2 * f($l));
t(fn() => f($l) * 2);
t(fn() => ($l + []) * f(2));
t(fn() => f(2) * ($l + []));
t(fn() => ($l + []) * 2);
t(fn() => 2 * ($l + []));
t(fn() => ($l + []) & ($x = 2));
t(fn() => ($x = 2) & ($l + []));
t(fn() => $o->p | f(2));
t(fn() => f(2) | $o->p);
t(fn() => $o->p | $o->m());
t(fn() => 3 ^ $o->m());
t(fn() => 3 ^ C::sm());
t(fn() => C::$s ^ C::sm());
t(fn() => C::sm() ^ 1.5);
t(fn() => 2 ^ new C);
t(fn() => (1 + f(1)) ^ new C);
t(fn() => new C ^ (1 + f(1)));
t(fn() => @f(2) * ($l + []));
t(fn() => @$l * f(2));
t(fn() => -$l);
t(fn() => 2 * $l * 3);
t(fn() => 2 * f(3) * $l);
t(fn() => f(3) * 2 * f($l));
t(fn() => 2 + $l);
t(fn() => 2 - $l);
t(fn() => $l / 2);
t(fn() => ($l + []) * strlen(f('a')));
t(fn() => ($l + []) * strrev('1'));
t(fn() => ($l ?: []) * f(1));
t(fn() => ($l ?? 1) * f(1));
t(fn() => (match(1) { 1 => [] }) * f(1));
t(fn() => (print '') * $o->m());
t(fn() => (fn() => 1) * f(1));
t(fn() => "a$l[0]" * $o->m());
t(fn() => (int)f(1) * $o->m());
t(fn() => $x++ * $o->m());
t(fn() => ++$x * $o->m());
t(fn() => ($x .= '1') * $o->m());
t(fn() => isset($x) * $o->m());
t(fn() => $o?->p * f(1));
t(fn() => f(1) * $o?->p);
t(fn() => f(1) * $o?->m());
t(fn() => $o?->m() * 1);
t(fn() => PHP_INT_MAX * f([]));
t(fn() => M_PI * $l);
t(fn() => __LINE__ * f([]));
t(fn() => C::class * f([]));
t(fn() => $GLOBALS['l'] * f(1));
t(fn() => f(1) * $GLOBALS['l']);
t(fn() => (yield_($l)) * 1);
function yield_($x) { return $x; }
t(function () { $l = []; $l *= f(2); });
t(function () { $l = 2; $l *= f([]); });
t(function () { $l = 2; $l &= []; });
