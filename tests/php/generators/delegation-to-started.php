<?php
function numbers() { yield 1; yield 2; yield 3; yield 4; yield 5; return 'end'; }
function thr($inner) { yield 0; $r = yield from $inner; yield 7; yield 8; }
function wait($inner) { yield from $inner; yield 9; }
function dump($text, $g) { echo $text, ': '; foreach ($g as $v) { echo $v, ' '; } echo "\n"; }
$i = numbers(); $m = wait($i); $m->current(); dump('outer of a delegating one', wait($m));
$i = numbers(); $m = wait($i); $m->current(); dump('top of outer of a delegating one', wait(wait($m)));
$i = numbers(); $m = wait($i); $m->current(); dump('late', thr($m));
$i = numbers(); $m = wait($i); $m->current(); dump('top late', wait(thr($m)));
$i = numbers(); $i->current(); dump('primed', thr($i));
$i = numbers(); $i->current(); dump('top primed', wait(thr($i)));
$i = numbers(); $i->current(); dump('top top primed', wait(wait(thr($i))));
function inner() { yield 'B'; } function mid() { yield 'A'; yield from inner(); yield 'C'; yield from []; } 
dump('empty', wait(mid()));
function two() { $n = numbers(); $n->valid(); yield from $n; $n = numbers(); $n->valid(); yield from $n; }
dump('two', two()); dump('two', wait(two())); dump('two', wait(wait(two())));
// finished inside
$i = inner(); $m = wait($i); $m->current(); $i->next(); dump('ended inner', wait($m));
$i = inner(); $m = wait($i); $m->current(); $i->next(); dump('ended inner top', wait(wait($m)));
$i = inner(); $m = wait($i); $m->current(); $i->next(); $t = thr($m); $t->current(); $u = wait($t); $u->current(); $u->next(); var_dump($u->current(), $t->current(), $m->current()); $t->next();var_dump($u->current(), $t->current(), $m->current());
