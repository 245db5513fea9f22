<?php
// What && and || never evaluate is not compiled: it raises nothing, and what would be an error there is none.
$x = 1;
if (false && f(a: 1, ...$x) && g(a: 2, ...$x)) { echo "no\n"; } else { echo "else\n"; }
var_dump(true || f(a: 1, ...$x) || fn ($a = 1, $b) => 1, false && $y && fn ($a = 1, $b) => 1, 0 && (function () { yield 1; })());
function notGenerator() { return false && yield 1; }
var_dump(notGenerator());
while (false && f(a: 1, ...$x) or false) { echo "never\n"; }
echo true or f(a: 1, ...$x) ? 'a' : 'b', "\n";
$z = 1 && "$x" && 0 && $x;
var_dump($z, !(false && f(a: 1, ...$x)), (false && f(a: 1, ...$x)) || $x);
const C = false && UNKNOWN && OTHER;
var_dump(C, !(1 || $x) && $x);
