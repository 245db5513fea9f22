<?php
// Lazy map, filter, take and zip.
function map(callable $f, iterable $i) { foreach ($i as $k => $v) { yield $k => $f($v); } }
function filter(callable $f, iterable $i) { foreach ($i as $k => $v) { if ($f($v)) { yield $k => $v; } } }
function take(int $n, iterable $i) { foreach ($i as $k => $v) { if ($n-- <= 0) { return; } yield $k => $v; } }
function naturals() { for ($i = 0;; $i++) { yield $i; } }
function zip(Iterator ...$is) { while (array_reduce($is, fn($ok, $i) => $ok && $i->valid(), true)) { yield array_map(fn($i) => $i->current(), $is); foreach ($is as $i) { $i->next(); } } }
$squares = map(fn($x) => $x ** 2, filter(fn($x) => $x % 2, naturals()));
echo implode(' ', iterator_to_array(take(5, $squares), false)), "\n";
foreach (zip((fn() => yield from ['a', 'b', 'c'])(), take(2, naturals())) as [$l, $n]) { echo $l, $n, ' '; }
function primes() { $seen = []; foreach (naturals() as $n) { if ($n < 2) { continue; } foreach ($seen as $p) { if ($n % $p === 0) { continue 2; } } $seen[] = $n; yield $n; } }
echo implode(',', iterator_to_array(take(10, primes()), false)), "\n";
function permutations(array $a) { if (count($a) < 2) { yield $a; return; } foreach ($a as $i => $x) { $rest = $a; unset($rest[$i]); foreach (permutations(array_values($rest)) as $p) { yield [$x, ...$p]; } } }
foreach (permutations(['x', 'y', 'z']) as $p) { echo implode($p), ' '; }
echo "\n";
