<?php
// Integers and strings that a compiled function passes by reference.

function step(array $lines, int &$i, string &$text): int
{
    while ($i < count($lines) && $lines[$i] !== '') {
        $text .= $lines[$i];
        $i++;
    }
    return $i * 2;
}

function walk(array $lines): string
{
    $text = '';
    $i = 0;
    $sum = 0;
    $n = count($lines);
    while ($i < $n) {
        if ($lines[$i] === '') {
            $i++;
            $text .= '|';
            continue;
        }
        $sum += step($lines, $i, $text);
        $sum = ($sum * 3 + strlen($text) + $i) % 10007;
    }
    return "$text $sum $i";
}

$lines = ['a', 'b', '', 'c', '', '', 'd', 'e', 'f'];
for ($round = 0; $round < 400; $round++) {
    $out = walk($lines);
}
echo $out, "\n";
