<?php
// Arrays that a loop starts and fills, also those that references hold; elements and properties that are passed by reference.

class Cell
{
    public array $names = [];
    private $current = 'start';

    public function push($what): void
    {
        $this->names[] = $this->current;
        $this->current = $what;
    }

    public function pop()
    {
        if (0 === count($this->names)) {
            throw new LogicException('nothing left');
        }
        $this->current = array_pop($this->names);
        return $this->current;
    }

    public function count(string $name): int
    {
        $this->names[$name] ??= 0;
        return $this->names[$name] += 2;
    }
}

function fill(int $factor, array &$list): void
{
    for ($n = 0; $n < 9; $n++) {
        for ($c = $n & 3; $c < 8; $c += 2) {
            $list[($n * $factor) & 7] = (-3) & 0xff;
            if (isset($list[$list[1] & 15])) {
                break;
            }
        }
    }
}

/** A list that becomes a table while code goes on with what it knew of the list. */
function scatter(array &$list, int $times, int $stride): int
{
    for ($c = 0; $c < $times; $c++) {
        $list[$c & 3] = $c;
        $list[($c * $stride) & 15] = -$c;
        if (count($list) > 12) {
            $list[] = 'last';
            array_pop($list);
        }
    }
    return count($list);
}

function normalize(mixed $data, int $depth = 0): mixed
{
    if (is_scalar($data) || null === $data) {
        return $data;
    }
    if (!is_array($data)) {
        return 'other';
    }
    $normalized = [];
    $count = 1;
    foreach ($data as $key => $value) {
        if ($count++ > 3) {
            $normalized['...'] = $depth;
            break;
        }
        $normalized[$key] = normalize($value, $depth + 1);
    }
    return $normalized;
}

function sorted(array $lists): string
{
    $text = '';
    foreach ($lists as $list) {
        $held = ['sorted' => $list];
        sort($held['sorted']);
        array_push($held['sorted'], 'end');
        $text .= implode(',', $held['sorted']) . ';';
    }
    return $text;
}

function main(): void
{
    for ($round = 0; $round < 4; $round++) {
        $first = [1, 2, 3, 4, 5, 6, 7, 8];
        fill(-7, $first);
        $second = [9, 8, 7, 6];
        fill(3, $second);
        $third = [];
        @fill(5, $third);
        echo json_encode([$first, $second, $third]), "\n";
    }
    for ($round = 1; $round < 9; $round++) {
        $list = [1, 2, 3, 4];
        $counts = [scatter($list, 3, 1), scatter($list, 9, $round), scatter($list, 40, 5)];
        echo json_encode([$counts, $list]), "\n";
    }
    for ($round = 0; $round < 6; $round++) {
        echo json_encode(normalize(['a' => 1, 'b' => [1, 2.5, null], [true, [[]]], 'c' => new Cell, 'd' => 4])), "\n";
    }
    $cell = new Cell;
    for ($round = 0; $round < 6; $round++) {
        $cell->push($round);
        $cell->push("at $round");
        echo json_encode([$cell->pop(), $cell->pop(), $cell->count('x'), $cell->names]), "\n";
        unset($cell->names['x']);
    }
    $copy = $cell->names;
    $cell->push('more');
    echo json_encode([$copy, $cell->names]), "\n";
    for ($round = 0; $round < 3; $round++) {
        echo sorted([[3, 1, 2], ['b', 'a'], []]), "\n";
    }
    try {
        (new Cell)->pop();
    } catch (LogicException $e) {
        echo $e->getMessage(), "\n";
    }
}
main();
