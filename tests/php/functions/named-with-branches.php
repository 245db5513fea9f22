<?php
// Named arguments one of which has a branch inside.
function named($a = 'a', $b = 2, ...$rest) { return [$a, $b, $rest]; }
function f($x) { echo json_encode(named(1, c: 2, d: $x ? 4 : 5)), "\n"; 
echo json_encode(named(1, b: 2, d: $x ? 4 : 5)), "\n"; 
echo json_encode(named(a: 2, b: $x ? 4 : 5)), "\n"; 
echo json_encode(named($x ? 1 : 2, c: 3)), "\n"; 
echo json_encode(named(b: 2, a: $x ? 4 : 5)), "\n"; }
f(1);
function two($a, $b) { return [$a, $b]; }
function g($x) { echo json_encode(two(b: 1, a: $x ? 4 : 5)), "\n"; echo json_encode(two($x ? 4 : 5, b: 7)), "\n"; 
echo json_encode(two(b: $x ?? 3, a: 1)), "\n"; echo json_encode(two(b: 1, a: $x ?? 3)), "\n"; }
g(1); g(0);
