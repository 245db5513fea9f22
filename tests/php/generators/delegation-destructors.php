<?php
//: not-as-php it crashes
// Destructors of what ended generators held last may resume the one that delegated to them (PHP 8.4.24 crashes here).
class D { public function __destruct() { global $g; try { $g->next(); } catch (Error) {} } }
function inner() { try { yield new D; } catch (LogicException) { echo "caught\n"; } }
function plain() { yield 'plain'; }
function outer() { yield from inner(); yield 'x'; yield from plain(); yield from inner(); yield from plain(); }
$g = outer(); $step = 0;
foreach ($g as $v) {
    if (++$step == 1) { unset($v); $g->throw(new LogicException); }
    unset($v);
}
echo $g->valid() ? 'suspended' : 'ended', "\n";
