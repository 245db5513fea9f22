<?php
// An element of a copy is a reference that the original shares: code leaves it to the interpreter, after the copy was made.
function shared(array $list, int $value): array
{
    $held = &$list[1];
    for ($number = 0; $number < 400; $number++) {
        $copy = $list;
        $copy[$number & 3] = $value;
    }
    return [$list, $copy];
}

function named(array $table, int $value): array
{
    $held = &$table['b'];
    for ($number = 0; $number < 400; $number++) {
        $copy = $table;
        $copy[$number & 1 ? 'a' : 'b'] = $value;
        $copy['c'][] = $number & 7;
    }
    return [$table, count($copy['c'])];
}

for ($round = 0; $round < 5; $round++) {
    echo json_encode([shared([9, 8, 7, 6], $round), named(['a' => 1, 'b' => 2, 'c' => []], $round)]), "\n";
}
