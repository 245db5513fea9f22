<?php
// Variables that the interpreter changes for compiled code lie in the frame, which gives them up when the function returns.
function f(int $n): int {
    $x = ['a' => [1, 2]];
    $x['a']['b'] = [$n];
    $x['c'][] = "s$n";
    $x['c'][] = "t$n";
    return $n;
}

// Strings have bytes at positions.
function bytes(array $lines): string {
    $found = '';
    foreach ($lines as $i => $line) {
        for ($k = -3; $k < 4; $k++) {
            $found .= isset($lines[$i][$k]) ? $lines[$i][$k] : '-';
        }
        $found .= isset($line[1]) ? 'y' : 'n';
    }
    return $found;
}

// Callbacks are called in registers, and leave compiled code.
class Order {
    public function __construct(public int $id, public ?string $name, public float $part) {}
}
function sorted(array $orders, int $base, ?string $other): string {
    usort($orders, fn(Order $a, Order $b): int => $a->part <=> $b->part ?: strcmp($a->name ?? $other, $b->name ?? $other));
    $ids = array_map(fn(Order $o) => $o->id + $base, $orders);
    $parts = array_map(fn(float $x, bool $y) => $y ? $x * 2 : $x, array_column($orders, 'part'), [true, false, true]);
    return implode(',', $ids) . ';' . implode(',', $parts) . ';' . array_reduce($ids, fn(?int $c, int $x) => $c + $x);
}
function failing(array $list): string {
    try {
        return implode(',', array_map(function (int $x) { if ($x > 5) { throw new Exception("at $x"); } return $x; }, $list));
    } catch (Exception $e) {
        return $e->getMessage();
    }
}

$sum = 0;
$text = '';
for ($i = 0; $i < 6000; $i++) {
    $sum += f($i);
    $text = md5($text . bytes(["a$i", '', 'xyz']) . failing([1, 2, $i % 7]));
    $orders = [new Order(1, 'b', 1.5), new Order(2, $i % 3 ? 'a' : null, 1.5), new Order(3, null, $i % 5)];
    $text = md5($text . sorted($orders, $i, $i % 50 ? 'x' : 'a'));
    if ($i == 3000) {
        $memory = memory_get_usage();
    }
}
echo $sum, ' ', $text, ' ', memory_get_usage() - $memory > 100000 ? 'leaks' : 'ok', "\n";

// What cannot be converted says so in the callback's name.
function notes() {
    set_error_handler(function ($level, $message) { echo $message, "\n"; return true; });
    for ($i = 0; $i < 400; $i++) {
        $all = array_map(fn($x) => $x . '', $i < 399 ? [1, 'a'] : [1, [2]]);
    }
    restore_error_handler();
    return count($all);
}
echo notes(), "\n";
