<?php
// Lists of one kind of values are stored without tags until something wants to see cells.

function sieve(int $n): array
{
    $flags = array_fill(0, $n + 1, true);
    $flags[0] = $flags[1] = false;
    for ($i = 2; $i * $i <= $n; $i++) {
        if ($flags[$i]) {
            for ($j = $i * $i; $j <= $n; $j += $i) {
                $flags[$j] = false;
            }
        }
    }
    return $flags;
}

function primes(array $flags): int
{
    $sum = 0;
    foreach ($flags as $number => $isPrime) {
        if ($isPrime) {
            $sum += $number;
        }
    }
    return $sum;
}

function counts(int $n): array
{
    $counts = array_fill(0, 2000, 0);
    for ($i = 0; $i < $n; $i++) {
        $counts[$i * 7 % 2000]++;
        $counts[$i % 11] += $i;
        $counts[$i % 13 + 20] -= 2;
        ++$counts[1999 - $i % 50];
    }
    return $counts;
}

function waves(int $n): float
{
    $a = array_fill(0, 1500, 0.5);
    for ($i = 0; $i < $n; $i++) {
        $at = $i % 1500;
        $a[$at] = $a[($i * 3) % 1500] * 0.75 + 0.125;
        $a[$at] += 0.5;
        $a[$at] *= 1.25;
    }
    $sum = 0.0;
    foreach ($a as $value) {
        $sum += $value;
    }
    return $sum;
}

// Someone looks at the cells in the middle of a loop that has been compiled for a list without.
function looked_at(int $n, int $when): array
{
    $a = array_fill(0, 1200, 1);
    $seen = 0;
    for ($i = 0; $i < $n; $i++) {
        $a[$i % 1200] = $a[($i + 1) % 1200] + 1;
        if ($i === $when) {
            $seen = array_sum($a) + count(array_filter($a)) + max($a);
        }
    }
    return [$seen, array_sum($a)];
}

// A value of another kind.
function mixed_up(int $n, int $when, mixed $what): array
{
    $a = array_fill(0, 1200, 5);
    $sum = 0;
    for ($i = 0; $i < $n; $i++) {
        if ($i === $when) {
            $a[$i % 1200] = $what;
        }
        $value = $a[$i % 1200];
        $sum += is_int($value) ? $value : 1000;
        $a[($i * 5) % 1200] = $i & 15;
    }
    return [$sum, $a[$when % 1200] === $what];
}

// The counter of one element goes beyond the largest integer.
function overflows(): array
{
    $a = array_fill(0, 1100, PHP_INT_MAX - 300);
    for ($i = 0; $i < 500; $i++) {
        $a[3]++;
        $a[4] += 2;
    }
    return [$a[2], $a[3], $a[4]];
}

function copies(int $n): array
{
    $a = array_fill(0, 1024, 0);
    $kept = [];
    for ($i = 0; $i < $n; $i++) {
        if ($i % 100 === 0) {
            $kept[] = $a;
        }
        $a[$i % 1024] = $i;
    }
    foreach ($kept as $number => $list) {
        $kept[$number] = $list[$number * 100 === 0 ? 0 : $number * 100 - 1] . '/' . array_sum($list);
    }
    return [array_sum($a), implode(' ', $kept)];
}

function walks_and_writes(): array
{
    $a = array_fill(0, 1030, 2);
    $sum = 0;
    foreach ($a as $at => $value) {
        $a[1029 - $at] = $at;
        $sum += $value;
    }
    foreach ($a as $at => &$place) {
        $place += $at;
    }
    unset($place);
    return [$sum, $a[0], $a[1029], array_sum($a)];
}

function outside(int $n): array
{
    $a = array_fill(0, 1024, 1);
    $missing = 0;
    for ($i = 0; $i < $n; $i++) {
        $missing += isset($a[$i]) ? 0 : 1;
        $missing += $a[$i + 1000] ?? 10;
        if ($i > 1500) {
            $a[] = 7;
        }
    }
    return [$missing, count($a), array_sum($a), $a[-1] ?? 'none', $a['3'] ?? 'none', isset($a['x'])];
}

class Machine
{
    public array $cells;
    public function __construct()
    {
        $this->cells = array_fill(0, 3000, 0);
    }
    public function run(int $n): int
    {
        for ($i = 0; $i < $n; $i++) {
            $this->cells[$i % 3000] = ($this->cells[($i + 7) % 3000] + 3) & 255;
            $this->cells[5]++;
        }
        return array_sum($this->cells);
    }
}

function grid(int $n): int
{
    $rows = array_fill(0, 3, array_fill(0, 1024, 0));
    for ($i = 0; $i < $n; $i++) {
        $rows[$i % 3][$i % 1024] = $i;
        $rows[1][$i % 7]++;
        $rows[2][5] += $rows[0][$i % 1024];
    }
    return array_sum(array_map('array_sum', $rows));
}

function shuffled(): array
{
    $a = array_fill(0, 1500, 1.5);
    $a[] = 2.5;
    $last = array_pop($a);
    array_push($a, 3.5, 4.5);
    unset($a[1501]);
    $a[] = 5.5;
    $b = array_fill(0, 1500, false);
    $b['key'] = true;
    sort($a);
    return [$last, count($a), end($a), array_key_last($a), count($b), array_key_last($b), $b[1499]];
}

for ($round = 0; $round < 3; $round++) {
    var_dump(primes(sieve(20000)), md5(serialize(counts(30000))), waves(20000));
    echo json_encode([looked_at(20000, 9000), looked_at(3000, 2), mixed_up(20000, 10007, 'text'), mixed_up(20000, 10007, 2.5)]), "\n";
    var_dump(overflows());
    echo json_encode([copies(2000), walks_and_writes(), outside(3000), (new Machine())->run(20000), grid(9000), shuffled()]), "\n";
}
