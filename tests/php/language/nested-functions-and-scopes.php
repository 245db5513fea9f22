<?php
// What is visible where.
$x = 'global';
function f() { return isset($x) ? 'sees' : 'does not see'; }
$closure = function () { return isset($x) ? 'sees' : 'does not see'; };
$arrow = fn() => $x;
$x = 'changed';
echo f(), $closure(), $arrow(), "\n";
{ $block = 'blocks are no scope'; }
for ($i = 0; $i < 2; $i++) { $inside = $i; }
foreach ([1] as $loop) {}
echo $block, $i, $inside, $loop, "\n";
function g() { foreach (['a', 'b'] as $n) { $$n = $n . '!'; } return $a . $b; }
function h() { $fn = fn() => $late ?? 'not yet'; $late = 'late'; return $fn(); }
function args($a, $b = 2) { $a = 'changed'; return implode(',', func_get_args()); }
echo g(), h(), args('orig', 3, 4), "\n";
try {
    throw new Exception('leaks');
} catch (Exception $caught) {}
echo $caught->getMessage(), "\n";
$arr = ['x' => 1];
array_map(function ($v) use (&$total) { $total += $v; }, [1, 2, 3]);
echo $total, "\n";
unset($x);
echo f(), isset($x) ? 'set' : 'unset', "\n";
