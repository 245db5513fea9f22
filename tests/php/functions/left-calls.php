<?php
// What is freed, and in which order, when an exception leaves calls in the middle of their arguments.
class L { function __construct(private $n) {} function __destruct() { echo "{$this->n} "; } function __toString() { return "s"; } }
function fail() { throw new Exception('left'); }
function f(...$x) {}
function m($x) { return new L($x); }
foreach ([
 fn() => f(m('a'), f(m('b'), f(m('c'), 1 + fail()), m('d'))),
 fn() => f(m('a'), m('b'), m('c'), fail()),
 fn() => [m('a'), m('b'), f(m('c'), [m('d'), m('e'), fail()])],
 fn() => f(m('a'), [m('b'), f(m('c'), m('d'), fail())]),
 fn() => m('a') . f(m('b'), m('c') . fail()),
 fn() => f(m('a'), m('b') . f(m('c'), m('d') . fail())),
 fn() => [m('a'), [m('b'), [m('c'), fail()]]],
 fn() => new L(f(m('a'), new L(fail()), m('b'))),
 fn() => f(m('z'), m('a') == m('b'), (m('c') . m('d')) . fail()),
 fn() => (fn() => f(m('p'), fail()))(m('q')),
] as $i => $g) { try { echo "$i: "; $g(); } catch (Exception $e) { unset($e); echo "caught\n"; } }
