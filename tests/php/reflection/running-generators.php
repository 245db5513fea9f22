<?php // A generator that runs can be looked at, whatever resumed it.
function look($when, Generator $g) {
    $r = new ReflectionGenerator($g);
    echo $when, ' ', $r->getFunction()->name, ' ', $r->getExecutingLine(), ' ', basename($r->getExecutingFile()), ' ', count($r->getTrace()), "\n";
}
function inner() { global $g; look('inner', $g);
    yield 1;
    look('inner again', $g); yield 2; }
function outer() { global $g; look('outer', $g);
    yield 0;
    yield from inner();
    look('outer again', $g);
}
$g = outer(); foreach ($g as $v) { look("loop $v", $g); }
$g = outer(); $g->next(); $g->next(); echo $g->current(), "\n"; $g->next(); $g->next(); var_dump($g->valid());
$r = new ReflectionGenerator($g); var_dump($r->isClosed(), $r->getFunction()->name);
try { $r->getTrace(); } catch (ReflectionException $e) { echo $e->getMessage(), "\n"; }
