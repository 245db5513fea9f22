<?php
// yield from arrays, generators and iterators; keys, results and sent values pass through.
function inner() { $got = yield 'i1'; echo "[inner got $got]"; yield 'i2'; return 'inner result'; }
function outer() { yield 'o1'; $r = yield from inner(); echo "[$r]"; yield from ['x' => 'a1', 'a2']; yield from new ArrayIterator(['it']); return 'outer result'; }
$g = outer();
foreach ($g as $k => $v) { echo "$k:$v "; }
echo $g->getReturn(), "\n";
$g = outer();
$g->next();
echo $g->current(), $g->send('sent'), "\n";
function walk(array $t) { foreach ($t as $x) { if (is_array($x)) { yield from walk($x); } else { yield $x; } } }
echo implode(',', iterator_to_array(walk([1, [2, [3, [4]], 5]]), false)), "\n";
function thrower() { try { yield 1; } catch (Exception $e) { yield 'inner caught ' . $e->getMessage(); } }
function delegating() { yield from thrower(); }
$d = delegating();
$d->current();
echo $d->throw(new Exception('deep')), "\n";
$shared = (function () { yield 1; yield 2; yield 3; })();
function a($g) { yield from $g; }
$x = a($shared);
$y = a($shared);
echo $x->current(), $y->current();
$x->next();
echo $y->current(), "\n";
try {
    foreach ((function () { yield from 5; })() as $v);
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
