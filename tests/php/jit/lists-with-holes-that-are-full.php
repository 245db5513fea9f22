<?php
// A list of holes that is full becomes a table when it gets one more element, also where code of a loop has it grow.
function popped(array $list, int $rounds): array
{
    for ($number = 0; $number < $rounds; $number++) {
        $list[] = $number;
        if (count($list) > 3) {
            array_pop($list);
        }
        $list[7] = 3;
        if (count($list) > 2) {
            array_pop($list);
            array_pop($list);
        }
    }
    return $list;
}

function unset_ones(array $list, int $rounds): array
{
    for ($number = 0; $number < $rounds; $number++) {
        $list[] = $number;
        unset($list[$number], $list[$number + 1]);
        if ($number % 50 === 49) {
            $list[] = -$number;
        }
    }
    return $list;
}

popped([1, 2], 400);
for ($rounds = 0; $rounds < 14; $rounds++) {
    echo json_encode([popped([1, 2], $rounds), popped([1, 2], 400 + $rounds), unset_ones([1], 300 + $rounds)]), "\n";
}
