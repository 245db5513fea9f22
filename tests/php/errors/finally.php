<?php
// finally overrides returns, runs on break and continue, chains exceptions.
function a() { try { return 'try'; } finally { return 'finally'; } }
function b() { try { throw new Exception('lost'); } finally { return 'swallowed'; } }
function c() { $x = 1; try { return $x; } finally { $x = 2; } }
function &d(array &$a) { try { return $a[0]; } finally { $a[0] = 'changed'; } }
function e() { foreach ([1, 2, 3] as $i) { try { if ($i == 2) { continue; } echo $i; } finally { echo 'f'; } } echo "\n"; }
function f() { while (true) { try { break; } finally { echo 'broken '; } } return 'after'; }
function g() { try { try { throw new Exception('first'); } finally { throw new Exception('second'); } } catch (Exception $e) { return $e->getMessage() . '<-' . $e->getPrevious()->getMessage(); } }
function h() { try { try { return 'inner'; } finally { echo 'one '; } } finally { echo 'two '; } }
function i() { for ($i = 0; $i < 2; $i++) { try { try { if ($i) { return $i; } } finally { foreach ([1, 2] as $x) { if ($x === 2) { break; } } } } finally { echo "o$i "; } } return 'loop ended'; }
$list = ['orig'];
echo a(), b(), c(), d($list), "\n";
e();
echo f(), "\n", g(), "\n", h(), "\n", i(), "\n";
function gen() { try { yield 1; yield 2; } finally { echo 'generator finally '; } }
foreach (gen() as $v) { echo $v; break; }
echo "done\n";
