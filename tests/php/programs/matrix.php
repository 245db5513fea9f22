<?php
// Numbers in nested arrays.
function multiply(array $a, array $b): array
{
    $columns = array_map(null, ...$b);
    return array_map(fn($row) => array_map(fn($column) => array_sum(array_map(fn($x, $y) => $x * $y, $row, $column)), $columns), $a);
}
function power(array $m, int $n): array { return $n === 1 ? $m : ($n % 2 ? multiply($m, power($m, $n - 1)) : power(multiply($m, $m), $n >> 1)); }
function determinant(array $m): int|float
{
    if (count($m) === 1) { return $m[0][0]; }
    $sum = 0;
    foreach ($m[0] as $i => $x) {
        $minor = array_map(function ($row) use ($i) { array_splice($row, $i, 1); return $row; }, array_slice($m, 1));
        $sum += ($i % 2 ? -1 : 1) * $x * determinant($minor);
    }
    return $sum;
}
foreach (power([[1, 1], [1, 0]], 30) as $row) { echo implode(' ', $row), "\n"; }
echo determinant([[2, 0, 1], [1, 3, 2], [1, 1, 4]]), determinant([[1.5, 2], [3, 4]]), "\n";
$identity = fn($n) => array_map(fn($i) => array_map(fn($j) => (int) ($i === $j), range(0, $n - 1)), range(0, $n - 1));
var_dump(multiply([[1, 2], [3, 4]], $identity(2)) === [[1, 2], [3, 4]]);
