<?php // Generators that delegate to generators: resumed, left, shared, destroyed.
function inner($n) { for ($i = 0; $i < $n; $i++) { $x = yield $i; if ($x) echo "got $x\n"; } return "r$n"; }
function mid($n) { $a = yield from inner($n); echo "mid $a\n"; $b = yield from inner($n - 1); yield 'k' => 'v'; return "$a$b"; }
function outer() { try { $r = yield from mid(3); echo "outer $r\n"; yield from [10, 20]; yield from new ArrayIterator(['a' => 1]); } finally { echo "fin\n"; } return 7; }
foreach (outer() as $k => $v) { echo "$k=>$v\n"; }
$g = outer(); foreach ($g as $v) { echo $v, "\n"; if ($v === 2) break; } unset($g);
$g = outer(); echo $g->current(), $g->send('hello'), $g->key(), "\n"; while ($g->valid()) { echo $g->current(), ','; $g->next(); } echo $g->getReturn(), "\n";
function thrower() { yield 1; throw new Exception("boo"); }
function catcher() { try { yield from thrower(); } catch (Exception $e) { echo $e->getMessage(), "\n", $e->getTraceAsString(), "\n"; yield 99; } }
function wrap() { yield from catcher(); }
foreach (wrap() as $v) echo $v, "\n";
function deep($n) { if ($n == 0) { yield 1; debug_print_backtrace(); throw new LogicException('deep'); } yield from deep($n - 1); }
try { foreach (deep(3) as $v) echo $v, "\n"; } catch (LogicException $e) { echo $e->getTraceAsString(), "\n"; }
try { $g = deep(2); $g->current(); $g->next(); } catch (LogicException $e) { echo $e->getTraceAsString(), "\n"; }
function shared() { yield 1; yield 2; yield 3; return 4; }
$s = shared(); function d($s, $n) { $r = yield from $s; echo "$n got $r\n"; return $n; }
$a = d($s, 'a'); $b = d($s, 'b'); 
while ($a->valid() || $b->valid()) { echo $a->current(), '-', $b->current(), "\n"; $a->next(); if ($b->valid()) $b->next(); }
class X { function __destruct() { echo "X gone\n"; } }
function holder() { $x = new X; yield 1; yield 2; } function hh() { yield from holder(); echo "after\n"; yield 3; }
foreach (hh() as $v) echo $v, "\n";
foreach (hh() as $v) { echo $v, "\n"; break; }
function selfr() { global $gg; yield 1; try { $gg->next(); } catch (Error $e) { echo $e->getMessage(), "\n"; } yield 2; }
function outs() { yield from selfr(); } $gg = outs(); foreach ($gg as $v) echo $v, "\n";
function inorder(?array $t): Generator { if ($t !== null) { yield from inorder($t[0]); yield $t[1]; yield from inorder($t[2]); } }
foreach (inorder([[null, 1, [null, 2, null]], 3, [null, 4, null]]) as $k => $v) echo "$k:$v ";
echo "\n"; $g = inorder([[null, 1, [null, 2, null]], 3, [null, 4, null]]); foreach ($g as $v) { if ($v == 2) { try { $g->throw(new Exception('in')); } catch (Exception $e) { echo $e->getMessage(), $e->getLine(), "\n"; } } else echo $v; }
function fin() { try { yield 1; yield 2; } finally { echo "inner fin\n"; } } function fo() { try { yield from fin(); } finally { echo "outer fin\n"; } }
foreach (fo() as $v) { echo $v, "\n"; break; }
$g = fo(); $g->current(); unset($g); gc_collect_cycles(); echo "done\n";
