<?php
// Callbacks of builtin functions, called often enough for compiled code, which borrows what it is called with.

class Item
{
    public function __construct(public int $id, public mixed $value, public array $parts = [])
    {
    }
    public function weigh(int $more): int
    {
        return $this->id + $more;
    }
    public static function twice(int $number): int
    {
        return 2 * $number;
    }
}

class Loud
{
    public function __construct(public string $name)
    {
    }
    public function __destruct()
    {
        echo "-{$this->name}";
    }
}

$items = [];
for ($i = 0; $i < 300; $i++) {
    $items[] = new Item($i * 7919 % 300, $i % 5 ? $i : "s$i", [$i, $i + 1]);
}

for ($round = 0; $round < 40; $round++) {
    $sorted = $items;
    usort($sorted, fn(Item $a, Item $b): int => $a->id <=> $b->id);
    $add = $round;
    $sum = array_sum(array_map(fn(Item $item): int => $item->id + $add, $sorted));
    $odd = count(array_filter($sorted, fn(Item $item) => $item->id & 1));
    $total = array_reduce($sorted, fn(int $carry, Item $item) => ($carry * 31 + $item->id) % 65521, 7);
    $text = array_reduce([1, 2, 3], fn($carry, $item) => $carry . $item, '');
    $list = array_reduce([1, 2, 3], function (array $carry, $item) {
        $carry[] = $item;
        return $carry;
    }, []);
}
echo $sorted[0]->id, ' ', $sorted[299]->id, " $sum $odd $total $text ", implode(',', $list), "\n";

// Methods, static methods, builtin functions.
$item = $items[5];
for ($round = 0; $round < 40; $round++) {
    $weights = array_map([$item, 'weigh'], range(1, 50));
    $twice = array_map('Item::twice', range(1, 50));
    $text = array_map(strval(...), range(1, 50));
}
echo array_sum($weights), ' ', array_sum($twice), ' ', implode($text), "\n";

// Kinds change, and what does not fit throws.
$mixed = array_merge(range(1, 400), ['x', 2.5, null, true], [new Item(1, 2)]);
try {
    array_map(fn(int $number) => $number + 1, $mixed);
} catch (TypeError $error) {
    echo get_class($error), strstr($error->getMessage(), ' must'), "\n";
}
echo implode(' ', array_slice(array_map(fn($value) => is_object($value) ? 'o' : $value . '!', $mixed), 396)), "\n";

// Overflow leaves the code.
echo implode(' ', array_slice(array_map(fn(int $n) => $n * 2, array_merge(range(1, 500), [PHP_INT_MAX])), 498)), "\n";

// Exceptions out of callbacks, in the middle.
for ($round = 0; $round < 5; $round++) {
    try {
        array_map(function (int $number) use ($round) {
            if ($number > 490 + $round) {
                throw new RuntimeException("at $number");
            }
            return $number;
        }, range(1, 500));
    } catch (RuntimeException $error) {
        echo $error->getMessage(), ' line ', $error->getLine(), ' ', count($error->getTrace()), "\n";
    }
}

// What is sorted is changed meanwhile; so is what is mapped.
$numbers = range(50, 1);
usort($numbers, function ($a, $b) use (&$numbers) {
    $numbers[] = 1;
    return $a <=> $b;
});
echo count($numbers), ' ', $numbers[0], ' ', $numbers[49], "\n";
$things = range(1, 300);
$seen = array_map(function ($thing) use (&$things) {
    unset($things[$thing]);
    $things[] = -$thing;
    return $thing;
}, $things);
echo array_sum($seen), ' ', count($things), "\n";

// References among the elements.
$one = 1;
$refs = range(1, 200);
$refs[100] = &$one;
echo array_sum(array_map(function ($value) {
    $value++;
    return $value;
}, $refs)), ' ', $one, "\n";

// Arguments that are changed are copies.
$rows = array_fill(0, 300, [3, 1, 2]);
$changed = array_map(function (array $row) {
    sort($row);
    $row[] = 9;
    return $row;
}, $rows);
echo implode(',', $rows[299]), ' ', implode(',', $changed[299]), "\n";

// Objects that only the callback's result holds.
$made = array_map(fn(int $i) => new Loud((string) $i), range(1, 3));
unset($made[1]);
echo "\n";
array_filter($made, function ($loud) use (&$made) {
    $made = [];
    return false;
});
echo "\n";

// Boolean comparisons, deprecated once.
set_error_handler(function ($level, $text) {
    echo substr($text, 0, 50), "\n";
    return true;
});
$few = [3, 1, 2];
for ($i = 0; $i < 30; $i++) {
    $copy = $few;
    if ($i === 29) {
        usort($copy, fn($a, $b) => $a > $b);
    }
}
echo implode($copy), "\n";

// Nested, and fibers that stop inside.
$nested = array_map(fn($n) => array_sum(array_map(fn($m) => $m * $n, range(1, 20))), range(1, 60));
echo array_sum($nested), "\n";
$fiber = new Fiber(function () {
    return array_map(function (int $n) {
        return $n % 100 === 0 ? Fiber::suspend($n) : $n;
    }, range(1, 300));
});
$value = $fiber->start();
while (!$fiber->isTerminated()) {
    echo $value, ' ', array_sum(array_map(fn(int $n) => $n + 1, range(1, 100))), "\n";
    $value = $fiber->resume(-$value);
}
echo array_sum($fiber->getReturn()), "\n";

// Text made by callbacks.
$text = str_repeat('one two three ', 100);
for ($i = 0; $i < 5; $i++) {
    $upper = preg_replace_callback('/\w+/', fn(array $found) => ucfirst($found[0]), $text);
}
echo substr($upper, -14), strlen($upper), "\n";
