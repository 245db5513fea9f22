<?php
// An abandoned generator runs its finally blocks when it goes away.
function g($name) { try { echo "$name start\n"; yield 1; echo "never\n"; yield 2; } finally { echo "$name cleaned\n"; } }
$a = g('a');
$a->current();
unset($a);
echo "after unset\n";
$b = g('b');
unset($b);
echo "not started: nothing to clean\n";
function nested() { try { yield from g('inner'); } finally { echo "outer cleaned\n"; } }
$c = nested();
$c->current();
$c = null;
class Res { public function __construct(private $n) {} public function __destruct() { echo "res $this->n\n"; } }
function holding() { $r = new Res('local'); yield 1; yield 2; }
foreach (holding() as $v) { if ($v === 1) { break; } }
echo "end\n";
