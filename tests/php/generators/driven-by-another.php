<?php
// A generator that another one brought to its yield from: its own next step does nothing.
function numbers() { yield 1; echo "on\n"; yield 2; echo "on\n"; yield 3; return 'end'; }
function through($inner) { $r = yield from $inner; echo "got $r\n"; yield 4; }
$inner = numbers();
$middle = through($inner);
$outer = through($middle);
var_dump($outer->current());
$middle->next();
var_dump($middle->current());
$middle->next();
var_dump($middle->current(), $outer->current());
$outer->next();
var_dump($outer->current());
