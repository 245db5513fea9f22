<?php
// Hash tables whose holes are taken out in place: order, lookups, counted keys, the internal position, copies before.
function key_of(int $i): string { return 'k' . $i; }
$table = [];
for ($i = 0; $i < 8; $i++) { $table[key_of($i)] = $i; }
$before = $table;
$order = [];
for ($i = 8; $i < 200; $i++) {
    unset($table[key_of($i - 8)]);
    if ($i % 3 === 0) { unset($table[key_of($i - 5)]); $table[key_of($i - 5)] = -$i; }
    $table[key_of($i)] = $i;
    if ($i === 100) { foreach ($table as $k => $v) { $order[] = "$k=$v"; } }
}
echo implode(' ', $order), "\n", json_encode($table), "\n", json_encode($before), "\n";
var_dump(isset($table['k199']), isset($table['k3']), $table['k198'] ?? null);
$walk = ['a' => 1, 'b' => 2, 'c' => 3, 'd' => 4, 'e' => 5, 'f' => 6, 'g' => 7, 'h' => 8];
next($walk); next($walk); next($walk);
unset($walk['a'], $walk['b']);
for ($i = 0; $i < 40; $i++) { $walk["x$i"] = $i; unset($walk["x" . ($i - 3)]); }
var_dump(key($walk), current($walk), next($walk), array_key_last($walk), count($walk));
$ints = ['p' => 0];
for ($i = 0; $i < 100; $i++) { $ints[$i * 7] = $i; if ($i > 5) { unset($ints[($i - 6) * 7]); } }
echo json_encode($ints), "\n";
$copy = $ints;
$copy['new'] = 1;
unset($ints['p']);
echo count($copy), count($ints), "\n";
foreach ($ints as $k => &$v) { unset($ints[$k]); $ints["r$k"] = $v; if (count($ints) > 6 || $k === 'r658') { break; } }
unset($v);
echo json_encode($ints), "\n";
