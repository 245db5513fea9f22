<?php
// foreach begun, left and ended in compiled code.

final class Item
{
    public function __construct(public int $n, public ?Item $other = null)
    {
    }
}

function total(array $items): int
{
    $sum = 0;
    foreach ($items as $key => $item) {
        if ($item === null) {
            continue;
        }
        if ($item->n > 90) {
            break;
        }
        $sum += $item->n * ($key + 1);
        foreach ([1, 2, 3] as $factor) {
            $sum += $factor;
        }
    }
    return $sum;
}

$items = [];
for ($i = 0; $i < 40; $i++) {
    $items[] = $i % 7 === 3 ? null : new Item($i);
}
for ($i = 0; $i < 6; $i++) {
    echo total($items), ' ', total([]), ' ', total([new Item(95)]), "\n";
}

// The array may change while it is walked: the loop goes on with the old one.
function doubling(array $list): array
{
    foreach ($list as $i => $value) {
        $list[] = $value . $i;
        $list[$i] = 'x';
    }
    return $list;
}

for ($i = 0; $i < 5; $i++) {
    echo implode(',', doubling(['a', 'b', 'c'])), ' ', count(doubling(range(1, $i + 1))), "\n";
}

function kinds(array $list): string
{
    $out = '';
    foreach ($list as $value) {
        $out .= gettype($value) . ' ';
        if (is_array($value)) {
            foreach ($value as $inner) {
                $out .= "($inner)";
            }
        }
    }
    return $out;
}

for ($i = 0; $i < 6; $i++) {
    echo kinds([1, 'b', 2.5, null, [1, 'z'], true, []]), kinds(['k' => 1, 2]), "\n";
}

function failing(array $list): int
{
    $n = 0;
    foreach ($list as $value) {
        if ($value === 'stop') {
            throw new RuntimeException("after $n");
        }
        $n += strlen($value);
    }
    return $n;
}

for ($i = 0; $i < 8; $i++) {
    try {
        echo failing($i % 3 === 2 ? ['aa', 'stop'] : ['a', str_repeat('b', $i)]), "\n";
    } catch (RuntimeException $e) {
        echo $e->getMessage(), "\n";
    }
}
