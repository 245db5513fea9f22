<?php
// Large functions and loops whose variables are of many kinds, or dead, where ways meet; what type tests say of them behind.

class Node
{
    public function __construct(public mixed $inner = null, public ?Node $next = null)
    {
    }

    public function isLike(mixed $other): bool
    {
        return $other instanceof self;
    }
}

final class Leaf extends Node
{
    public function isLike(mixed $other): bool
    {
        return $other instanceof parent && !$other instanceof self;
    }

    public function __destruct()
    {
        echo '~';
    }
}

function kind(mixed $value): string
{
    if (is_array($value)) {
        return 'array of ' . count($value);
    }
    if (!is_string($value)) {
        if (is_int($value) || is_float($value)) {
            return 'number ' . ($value + 1);
        }
        return is_null($value) ? 'null' : (is_bool($value) ? 'bool' : (is_object($value) ? $value::class : '?'));
    }
    return 'string of ' . strlen($value);
}

function walk(array $values, string $name): string
{
    $text = '';
    foreach ($values as $key => $value) {
        $found = new Node;
        $found->$name = $value;
        $part = $found->$name;
        if (is_array($part)) {
            $sum = 0;
            foreach ($part as $other) {
                $result = kind($other);
                if ($result === 'null') {
                    continue 2;
                }
                $sum += strlen($result);
            }
            $text .= "$key:$sum ";
            continue;
        }
        $level = null;
        if ($part instanceof Node) {
            for ($node = $part; $node !== null; $node = $node->next) {
                $level = ($level ?? 0) + 1;
                $seen = $node->isLike($part) ? 'y' : 'n';
                $text .= $seen;
            }
        }
        $message = @json_encode($part instanceof Node ? $level : $part);
        $text .= $key . '=' . $message . '/' . kind($part) . ' ';
    }
    return $text;
}

function machine(array $input): array
{
    $state = 0;
    $stack = [$state];
    $depth = 0;
    $log = [];
    for ($at = 0;;) {
        if ($at >= count($input)) {
            return [$depth, $stack, $log];
        }
        $token = $input[$at++];
        $text = is_string($token) ? $token : null;
        switch ($state) {
            case 0:
                if ($text === null) {
                    $number = $token * 2;
                    $log[] = $number;
                } else {
                    $stack[++$depth] = $text;
                    $state = 1;
                }
                break;
            case 1:
                $before = $stack[$depth];
                if ($text === $before) {
                    $closed = "$before$depth";
                    unset($stack[$depth]);
                    $depth--;
                    $log[] = $closed;
                    $state = $depth > 0 ? 1 : 0;
                } elseif ($text !== null) {
                    $stack[++$depth] = $text;
                } else {
                    $half = $token / 2;
                    $log[] = $half;
                    $state = 2;
                }
                break;
            default:
                $last = end($log);
                $log[] = is_float($last) ? 'float' : gettype($last);
                $state = $depth > 0 ? 1 : 0;
                $at--;
        }
    }
}

for ($round = 0; $round < 5; $round++) {
    echo walk([1, 'two', 3.5, [1, 'a', [2]], null, true, new Node(1, new Leaf(2, new Node)), [null], new Leaf], 'inner'), "\n";
}
for ($round = 0; $round < 4; $round++) {
    echo json_encode(machine([1, 'a', 3, 'b', 'b', 4, 'a', 2.5, 'c', 5, 'c', 'd'])), "\n";
}

/** Variables of loops keep what they had where there is nothing to go over. */
function last(array $visitors, array $names): string
{
    $text = '';
    foreach ($names as $name) {
        $index = -1;
        foreach ($visitors as $index => $visitor) {
            $text .= $visitor . $name;
            if ($name === 'stop') {
                break;
            }
        }
        for (; $index >= 0; --$index) {
            $visitor = $visitors[$index];
            $text .= "/$visitor";
        }
        $visitors = array_slice($visitors, 1);
    }
    return $text;
}
for ($round = 0; $round < 4; $round++) {
    echo last(['a', 'b', 'c'], ['x', 'stop', 'y', 'z', 'w']), "\n";
}
