<?php
// Growth, holes, mixed keys and many deletions.
$a = [];
for ($i = 0; $i < 10000; $i++) { $a[] = $i; }
for ($i = 0; $i < 10000; $i += 2) { unset($a[$i]); }
echo count($a), array_sum($a), key($a), array_key_last($a), "\n";
$a[] = 'next';
echo array_key_last($a), "\n";
$h = [];
for ($i = 0; $i < 5000; $i++) { $h["key$i"] = $i; $h[$i * 7] = -$i; }
echo count($h), $h['key4999'], $h[7 * 4999], "\n";
foreach ($h as $k => $v) { if (is_int($k)) { unset($h[$k]); } }
echo count($h), array_key_first($h), "\n";
$m = [];
for ($i = 0; $i < 100; $i++) { for ($j = 0; $j < 100; $j++) { $m[$i][$j] = $i * $j; } }
echo array_sum(array_map('array_sum', $m)), "\n";
$q = [];
for ($i = 0; $i < 1000; $i++) { array_push($q, $i); if ($i % 3 === 0) { array_shift($q); } }
echo count($q), $q[0], "\n";
$sieve = array_fill(2, 999, true);
for ($i = 2; $i * $i <= 1000; $i++) { if ($sieve[$i]) { for ($j = $i * $i; $j <= 1000; $j += $i) { $sieve[$j] = false; } } }
echo count(array_filter($sieve)), "\n";
