<?php
// Functions that are called with arguments of several kinds while they are hot, and what they do with lists of several kinds.

class Node
{
    public function __construct(public ?Node $next, public int|string $key)
    {
    }
}

function length(?Node $node): int
{
    return $node === null ? 0 : 1 + length($node->next);
}

function describe(int|string|float|null|bool $value): string
{
    if ($value === null) {
        return 'none';
    }
    if (is_bool($value)) {
        return $value ? 'yes' : 'no';
    }
    return is_string($value) ? "<$value>" : 'n' . ($value + 1);
}

function pair($tree)
{
    [$left, $right] = $tree;
    return 1 + ($left !== null ? pair($left) + pair($right) : 0);
}

function run(array $ops): int
{
    $sum = 0;
    $at = 0;
    while (true) {
        [$op, $arg] = $ops[$at++];
        switch ($op) {
            case 'add':
                $sum += $arg;
                break;
            case 'subtract':
                $sum -= $arg;
                break;
            case 'subtract-much':
                $sum -= 2 * $arg;
                break;
            case '':
                $sum ^= 1;
                break;
            case '+':
                $sum++;
                break;
            case 'a name that is longer than two words':
                $sum += 3;
                break;
            case 'end':
                return $sum;
        }
    }
}

function same(string $a, string $b): string
{
    return ($a == '+' ? 'p' : '-') . ($a == 'subtract' ? 's' : '-') . ($a == '1e1' ? 'n' : '-') . ($a === '10' ? 't' : '-')
        . ($a == $b ? 'e' : '-') . ($a == '' ? '0' : '-');
}

function edges(int $from, int $step): string
{
    $text = '';
    for ($i = 0; $i < 40; $i++) {
        $next = $from + 1;
        $before = $from - 1;
        $text = get_debug_type($next) . get_debug_type($before);
        $from += $step;
        if (is_float($from)) {
            return "$text at $i";
        }
    }
    return $text;
}

$list = null;
for ($i = 0; $i < 20; $i++) {
    $list = new Node($list, $i % 2 ? $i : "k$i");
}
$total = 0;
for ($i = 0; $i < 300; $i++) {
    $total += length($i % 3 ? $list : null);
}
echo $total, "\n";

$seen = [];
$values = [1, 'one', null, 2.5, true, false, 7, 'x'];
for ($i = 0; $i < 2400; $i++) {
    $text = describe($values[$i % 8]);
    $seen[$text] = ($seen[$text] ?? 0) + 1;
}
var_dump($seen);

$tree = [null, null];
for ($i = 0; $i < 6; $i++) {
    $tree = [$tree, $i % 2 ? [null, null] : $tree];
}
$total = 0;
for ($i = 0; $i < 60; $i++) {
    $total += pair($tree);
}
echo $total, "\n";

$ops = [
    ['add', 5], ['subtract', 2], ['subtract-much', 1], ['', 0], ['+', 0], ['a name that is longer than two words', 0],
    ['subtracT', 100], ['end', 0],
];
$total = 0;
for ($i = 0; $i < 1500; $i++) {
    $ops[0][1] = $i;
    $total += run($ops);
}
echo $total, "\n";

$texts = ['+', 'subtract', '10', '1e1', '010', '', 'subtracts', '0'];
$all = [];
for ($i = 0; $i < 4000; $i++) {
    $all[same($texts[$i % 8], $texts[($i >> 3) % 8])] = true;
}
ksort($all);
echo implode(' ', array_keys($all)), "\n";

$ends = [];
for ($i = 0; $i < 600; $i++) {
    $ends[edges($i % 3 ? $i : ($i % 2 ? PHP_INT_MAX - 20 : PHP_INT_MIN + 5), $i % 2 ? 1 : -1)] = true;
}
ksort($ends);
echo implode(' ', array_keys($ends)), "\n";
