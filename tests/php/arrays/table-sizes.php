<?php
// Lists that got shorter, or are copies, stay lists for as long as in PHP: only a list forgets the keys behind its last element.
function next_keys(array $list, int $keep, int $far): string {
    while (count($list) > $keep) {
        array_pop($list);
    }
    $list[$far] = 1;
    array_pop($list);
    $list[5] ??= 0;
    $list[] = 9;
    return json_encode(array_keys($list));
}

foreach ([1, 7, 8, 9, 15, 16, 17, 33, 64] as $n) {
    $makers = [
        'range' => fn() => range(1, $n),
        'pushed' => function () use ($n) {
            for ($i = 0; $i < $n; $i++) {
                $list[] = $i;
            }
            return $list;
        },
        'literal' => fn() => eval('return [' . str_repeat('1,', $n) . '];'),
        'of variables' => fn() => eval('$x = 1; return [' . str_repeat('$x,', $n) . '];'),
        'merged' => fn() => array_merge(range(1, $n), [1, 2]),
        'sliced' => fn() => array_slice(range(0, $n + 5), 2, $n),
        'mapped' => fn() => array_map(fn($x) => $x, range(1, $n)),
        'arguments' => (fn(...$all) => fn() => $all)(...range(1, $n)),
        'spread' => fn() => [1, ...range(1, $n)],
        'shifted' => function () use ($n) {
            $list = range(0, $n);
            array_shift($list);
            return $list;
        },
        'sorted' => function () use ($n) {
            $list = range(1, $n);
            sort($list);
            return $list;
        },
    ];
    foreach ($makers as $name => $make) {
        echo "$name $n:";
        foreach ([0, 1, 3, 20] as $keep) {
            foreach ([15, 30, 70] as $far) {
                $list = $make();
                $copy = $list;
                echo ' ', next_keys($list, $keep, $far);
                array_pop($copy);
                $again = $copy;
                $again[] = 1;
                echo next_keys($again, $keep, $far);
            }
        }
        echo "\n";
    }
}
