<?php
// Backtracking with arrays by value and generators.
function queens(int $n, array $placed = []): Generator
{
    $row = count($placed);
    if ($row === $n) { yield $placed; return; }
    for ($c = 0; $c < $n; $c++) {
        foreach ($placed as $r => $p) { if ($p === $c || abs($p - $c) === $row - $r) { continue 2; } }
        yield from queens($n, [...$placed, $c]);
    }
}
foreach ([4, 5, 6] as $n) { $all = iterator_to_array(queens($n), false); echo $n, ': ', count($all), ' first ', implode($all[0]), "\n"; }
foreach (queens(8) as $s) { foreach ($s as $c) { echo str_repeat('. ', $c), 'Q ', str_repeat('. ', 7 - $c), "\n"; } break; }
