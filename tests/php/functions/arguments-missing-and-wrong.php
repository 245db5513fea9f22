<?php // Arguments that were passed are checked before one is missed.
function f(int $a, string $b, $c) { return $a; }
class A { function __construct(public ?int $x, array $y) {} static function s(self $a, int $b) {} }
foreach ([fn() => f([]), fn() => f(1), fn() => f('7', []), fn() => f('x', 'y'), fn() => f(1, 2), fn() => new A('no'), fn() => new A(null), fn() => A::s(new stdClass), fn() => (function (int ...$n) {})(1, 'x'), fn() => (function (int $first, int ...$n) {})()] as $call) {
    try { $call(); } catch (Error $e) { echo get_class($e), ': ', preg_replace('~ in \S+~', '', $e->getMessage()), ' @', $e->getLine(), "\n"; }
}
