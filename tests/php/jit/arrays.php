<?php
// Lists that are read and written in hot loops: shared, with holes, turned into hash tables, growing.

function fill(int $n): array
{
    $a = [];
    for ($i = 0; $i < $n; $i++) {
        $a[] = $i * $i;
    }
    for ($i = $n; $i < 2 * $n; $i++) {
        $a[$i] = $i;
    }
    return $a;
}
$a = fill(50);
var_dump(count($a), array_sum($a), array_is_list($a), $a[49], $a[99]);

function copies(array $a): array
{
    $kept = [];
    for ($i = 0; $i < 60; $i++) {
        $a[$i] = $a[$i] + 1;
        if ($i % 20 === 0) {
            $kept[] = $a;
        }
    }
    $kept[] = $a;
    return array_map('array_sum', $kept);
}
var_dump(copies($a), array_sum($a));

function holes(array $a): int
{
    unset($a[7], $a[20]);
    $sum = 0;
    for ($i = 0; $i < 30; $i++) {
        $sum += @$a[$i] ?? -1;
    }
    foreach ($a as $k => $v) {
        $sum += $k ^ $v;
    }
    return $sum;
}
var_dump(holes($a));

function to_hash(): array
{
    $a = [1, 2, 3];
    for ($i = 0; $i < 20; $i++) {
        $a[$i] = $i;
        if ($i === 10) {
            $a['key'] = 'value';
        }
        if ($i === 12) {
            $a[1000] = 5;
        }
    }
    $a[] = 'last';
    return $a;
}
var_dump(to_hash());

function types(): array
{
    $a = [];
    for ($i = 0; $i < 30; $i++) {
        $a[$i] = $i < 10 ? $i : ($i < 20 ? $i / 4 : "s$i");
    }
    for ($i = 29; $i >= 0; $i--) {
        $b[29 - $i] = $a[$i];
        $a[$i] = null;
    }
    for ($i = 0; $i < 30; $i++) {
        $a[$i] = $b[$i];
        $b[$i] = $i % 2 === 0;
    }
    return [$a, $b];
}
echo json_encode(types()), "\n";

function outside(): void
{
    $a = [1, 2, 3];
    for ($i = -1; $i < 5; $i++) {
        echo $a[$i], " ";
    }
    for ($i = 0; $i < 3; $i++) {
        $a["$i"] += 5;
        $a[$i . ''] .= 'x';
        $a[(float) $i] = $a[$i] . 'y';
    }
    echo implode(',', $a), "\n";
}
outside();

function matrix(int $n): array
{
    $m = [];
    for ($i = 0; $i < $n; $i++) {
        $row = [];
        for ($j = 0; $j < $n; $j++) {
            $row[] = ($i * 7 + $j) / 4;
        }
        $m[] = $row;
    }
    $trace = 0;
    for ($i = 0; $i < $n; $i++) {
        for ($j = 0; $j < $n; $j++) {
            $trace += $m[$i][$j] * $m[$j][$i];
            $m[$i][$j] = $trace;
        }
    }
    return [$trace, $m[$n - 1][$n - 1], $m[0][1]];
}
var_dump(matrix(12));

function sort_it(array &$a): void
{
    $n = count($a);
    for ($i = 1; $i < $n; $i++) {
        $v = $a[$i];
        for ($j = $i - 1; $j >= 0 && $a[$j] > $v; $j--) {
            $a[$j + 1] = $a[$j];
        }
        $a[$j + 1] = $v;
    }
}
$x = [];
for ($i = 0, $s = 42; $i < 60; $i++) {
    $s = ($s * 1103515245 + 12345) & 0x7fffffff;
    $x[] = $s % 100;
}
$before = $x;
sort_it($x);
sort($before);
var_dump($x === $before);

function referenced_elements(): void
{
    $a = range(0, 9);
    $r = &$a[5];
    $copy = $a;
    for ($i = 0; $i < 10; $i++) {
        $a[$i] = $a[$i] * 2;
    }
    $r = -1;
    echo implode(' ', $a), ' | ', implode(' ', $copy), "\n";
    foreach ($a as $k => &$v) {
        $v += $k;
        $sum = ($sum ?? 0) + $v;
    }
    unset($v);
    echo implode(' ', $a), " $sum\n";
}
referenced_elements();

function strings(string $s): array
{
    $sum = 0;
    $dashes = 0;
    $out = '';
    for ($i = 0; $i < strlen($s); $i++) {
        $sum = ($sum * 31 + ord($s[$i])) % 1000003;
        if ($s[$i] === '-') {
            $dashes++;
        } elseif ($s[$i] == 'z') {
            $dashes += 100;
        }
        $out .= chr(ord($s[$i]) ^ 1);
        $c = $s[$i];
    }
    return [$sum, $dashes, $out, $c];
}
var_dump(strings('a-b-c-' . str_repeat('xyz', 10)));

function change_while_iterating(): void
{
    $a = [1, 2, 3, 4, 5, 6, 7, 8];
    $seen = 0;
    foreach ($a as $i => $v) {
        $a[$i] = $v * 10;
        $a[] = $v;
        $seen += $v;
    }
    echo $seen, ' ', count($a), ' ', array_sum($a), "\n";
}
change_while_iterating();

function builtins(): void
{
    $sum = 0;
    $f = 0.0;
    for ($i = -20; $i < 20; $i++) {
        $sum += abs($i) + min($i, 5) * max($i, -5) + intdiv($i, 3);
        $f += sqrt(abs($i)) + floor($i / 3) + ceil($i / 7) + abs($i * 0.5);
    }
    var_dump($sum, round($f, 8));
    $least = PHP_INT_MIN + 2;
    for ($i = 0; $i < 4; $i++) {
        var_dump(abs($least));
        $least -= $i % 2 + ($i > 2 ? 0 : 0);
    }
}
builtins();
