<?php
// Closures that capture by reference are called by builtin functions: what they assign is the outer variable's.

function sums(array $list): array
{
    $sum = 0;
    $text = '';
    $last = null;
    array_walk($list, function ($value, $key) use (&$sum, &$text, &$last) {
        $sum = $sum * 31 % 1000003 + $value;
        if ($key % 500 === 0) {
            $text .= $value . ',';
        }
        $last = $key;
    });
    return [$sum, $text, $last];
}

function deep(array $tree): string
{
    $count = 0;
    $keys = [];
    array_walk_recursive($tree, function ($value, $key) use (&$count, &$keys) {
        $count += $value;
        $keys[$key] = ($keys[$key] ?? 0) + 1;
    });
    return $count . ' ' . json_encode($keys);
}

/** The kind that the variable holds changes while code runs. */
function kinds(int $times): void
{
    $held = 0;
    $step = function (int $index) use (&$held) {
        if ($index === 2000) {
            $held = 'text';
        } elseif ($index === 2001) {
            $held = 1.5;
        }
        $held = is_string($held) ? strlen($held) : $held + 1;
        return $held;
    };
    $all = array_map($step, range(1, $times));
    echo json_encode([$held, $all[1998], $all[1999], $all[2000], $all[$times - 1]]), "\n";
}

/** By value and by reference, and the reference is also an element and a typed property. */
final class Counter
{
    public int $hits = 0;
    public ?array $seen = [];
}

function mixed_captures(): void
{
    $counter = new Counter();
    $hits = &$counter->hits;
    $list = [1, 2, 3];
    $element = &$list[1];
    $factor = 3;
    usort($list, fn ($a, $b) => $a <=> $b);
    $numbers = range(1, 3000);
    $kept = array_filter($numbers, function ($number) use (&$hits, $factor, &$element) {
        $hits += $factor;
        $element = $number;
        return $number % 1000 === 0;
    });
    echo json_encode([$counter->hits, array_values($kept), $element, $list]), "\n";
    $grow = function ($number) use (&$hits) {
        $hits = $number < 2500 ? $hits + 1 : 'no number';
    };
    try {
        array_map($grow, $numbers);
    } catch (TypeError $error) {
        echo $error->getMessage(), ' ', $counter->hits, "\n";
    }
}

/** Freed while the closure holds it last, and shared between two closures. */
function shared(): array
{
    $state = ['n' => 0];
    $up = function ($value) use (&$state) { $state['n'] += $value; $state['max'] = max($state['max'] ?? 0, $value); };
    $down = function ($value) use (&$state) { $state['n'] -= $value; unset($state['max']); };
    foreach ([$up, $down, $up] as $each) {
        array_map($each, range(1, 700));
    }
    return $state;
}

echo json_encode(sums(range(1, 3000))), "\n";
$tree = [];
for ($i = 0; $i < 300; $i++) {
    $tree['k' . $i % 7][] = ['a' => $i, 'b' => [$i + 1, 'c' => 2]];
}
echo deep($tree), "\n";
kinds(4000);
mixed_captures();
echo json_encode(shared()), "\n";
$global = 0;
array_map(function ($value) use (&$global) { $global = $value . $global % 7; }, range(1, 2000));
var_dump($global);
