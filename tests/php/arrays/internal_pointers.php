<?php
// What becomes of an internal pointer when the array changes, is copied or shared.
function o(...$values) { echo json_encode($values), "\n"; }
function seen(array $a) { next($a); return key($a); }

// On a hole: read as what comes next, left backwards from the hole.
$a = ['x' => 1, 'y' => 2, 'z' => 3, 'n' => 4];
unset($a['x']);
o(key($a), next($a), prev($a), key($a));
$a = [1, 2, 3, 4];
next($a); unset($a[1]);
o(current($a), prev($a), current($a));
$a = [1, 2, 3];
end($a); unset($a[2]);
o(key($a)); $a[] = 9; o(key($a), current($a));

// Behind the end, what is appended is found; a copy starts anew.
$a = [5]; next($a); $b = $a; $a[] = 6;
o(key($a), key($b)); $b[] = 7; o(key($b));
$a = ['k' => 1]; next($a); $a['l'] = 2; o(key($a));

// A copy without the holes, and one that is only passed on.
$a = ['a' => 1, 'b' => 2, 'c' => 3, 'd' => 4];
next($a); unset($a['a'], $a['b']);
$b = $a; $b['e'] = 5;
o(key($a), key($b), seen($a), key($a));

// Moving shares nothing.
$a = [1, 2, 3]; $b = $a;
o(next($a), key($b), reset($b), key($a));
$a = ['p' => ['q' => 1, 'r' => 2]]; next($a['p']); $b = $a; next($b['p']);
o(key($a['p']), key($b['p']));

// Functions that change arrays.
$a = ['a' => 1, 'b' => 2, 'c' => 3]; next($a); next($a);
array_shift($a); o(key($a), prev($a));
$a = ['a' => 1, 'b' => 2, 'c' => 3]; next($a); array_pop($a); o(key($a));
$a = [1]; next($a); asort($a); o(key($a)); uasort($a, 'strcmp'); o(key($a));
$a = [1, 2, 3]; next($a); array_push($a, 4); o(key($a)); array_unshift($a, 0); o(key($a));
next($a); array_splice($a, 1, 1); o(key($a));
next($a); $b = array_values($a); o(key($b)); $b = array_slice($a, 0); o(key($b));
$b = $a + ['z' => 1]; o(key($b)); $b = array_replace($a, []); o(key($b)); $b = (array) $a; o(key($b)); $b = [...$a]; o(key($b));
while (next($a)); $b = $a + []; o(key($a), key($b)); $a += [9 => 9]; o(key($a));

// Loops leave it alone, and grow with what is appended.
$a = [1, 2]; next($a);
foreach ($a as $v) { } o(key($a)); foreach ($a as &$v) { } unset($v); o(key($a));
$q = ['root']; $paths = [];
while (($u = current($q)) !== false) { $paths[] = $u; next($q); if (strlen($u) < 8) { $q[] = "$u/a"; } }
o($paths);
$q = [1, 2, 3]; while (($v = current($q)) !== false) { if ($v == 2) $q[] = 8; unset($q[key($q)]); echo $v, ' '; } o($q);

// The next key survives sorting.
$a = ['b' => 1, 'a' => 2]; asort($a); $a[-5] = 0; $a[] = 1; o(array_keys($a));
$a = ['b' => 1, 'a' => 2]; uksort($a, 'strcmp'); $a[-5] = 0; $a[] = 1; o(array_keys($a));

// Properties of objects.
$o = new stdClass; $o->a = 1; $o->b = 2; $o->c = 3;
o(@next($o), @key($o)); unset($o->a); o(@key($o), @next($o)); unset($o->c); o(@key($o)); $o->d = 4; o(@key($o));

// Loops by reference while their array is shifted.
$b = ['x', 'y', 'z'];
foreach ($b as $k => &$u) { echo "outer $k $u\n"; foreach ($b as $k => &$w) { echo "inner $k $w ", array_shift($b), "\n"; } }
unset($u, $w);
$a = [1]; $n = 0;
foreach ($a as $k => &$u) { if ($n++ > 3) break; o($k, array_splice($a, 0, 1, ['s', 't'])); }
