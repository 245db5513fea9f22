<?php
// Loops that are entered with variables of other kinds each time, with references that nobody else holds, and with lists that grow.
function fill(mixed $start, int $count, array $list, ?string $mark): string
{
    $sum = $start;
    for ($i = 0; $i < $count; $i++) {
        $list[] = $i;
        $list[$i] = $i * 2;
        if ($mark !== null) {
            $mark .= 'x';
        }
        if (is_int($sum) || is_float($sum)) {
            $sum += $i;
        } elseif (is_string($sum)) {
            $sum .= $i;
        } elseif (is_array($sum)) {
            $sum[] = $i;
        }
    }
    return json_encode([$sum, count($list), $list[$count - 1], $mark]);
}

function setTo(mixed &$place, int $value): void
{
    $place = $value;
}

function alone(int $start): int
{
    setTo($i, $start);
    $sum = 0;
    for (; $i < $start + 20; $i++) {
        $sum += $i;
    }
    return $sum;
}

function shared(int $start): int
{
    $other = &$i;
    $i = $start;
    for (; $i < $start + 20; $i++) {
        $other += $i % 3 === 0 ? 1 : 0;
    }
    return $other;
}

$starts = [0, 1.5, 's', [], null, true];
for ($round = 0; $round < 60; $round++) {
    $text = fill($starts[$round % 6], 5 + $round, $round % 5 === 0 ? ['k' => 1] : [], $round % 4 === 0 ? null : "m$round");
    $numbers = alone($round) + shared($round);
    if ($round > 53) {
        echo $text, ' ', $numbers, "\n";
    }
}
