<?php
// Operators look through variables that are references, and give up temporaries.
function run(int &$n, string &$text, array &$list, ?float &$real): void
{
    var_dump($n < 5, $n === 3, 3 === $n, $n !== $n, $n + 1, 2 * $n, $n - $n, $n <=> 4, $n % 2, $real + $n, $real > $n, -$n);
    if ($n < strlen($text)) { echo "shorter\n"; }
    while ($n < 5) { echo $text[$n], isset($text[$n]) ? 'y' : 'n', isset($list[$n]) ? 'y' : 'n', empty($list[$n]) ? 'e' : 'f', "\n"; ++$n; }
    var_dump(isset($text[$n]), isset($text[$n + 9]), $text[$n] ?? 'none', $text[-1], $list[$n] ?? 'missing');
    $other = $n;
    $n = 7;
    $copy = ($n = $n + 1);
    var_dump($other, $n, $copy, $m = $n, ($k = $text) . $k);
    if ($text) { echo "text\n"; }
    if (!$list) { echo "no list\n"; }
    var_dump((bool) $text, (string) $text, (int) $n, (int) $text, (bool) $list, (string) $n, (bool) $real);
    $n = "now a number"[0] === 'n' ? 1 : 0;
    $local = &$text;
    $local = 'through';
    var_dump($text);
    try {
        $n = 'no number';
    } catch (TypeError $e) {
        echo $e->getMessage(), "\n";
    }
}
$typed = new class { public int $n = 3; public string $text = 'abcdef'; };
$list = [3 => 0, 4 => 1];
$real = 1.5;
run($typed->n, $typed->text, $list, $real);
var_dump($typed);

// Strings of all short lengths, alike and not, as temporaries and not.
foreach ([0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 40] as $length) {
    $a = str_repeat('ab', $length);
    $a = substr($a, 0, $length);
    $b = substr($a . '-', 0, $length);
    $c = $length ? substr_replace($b, '_', -1) : 'x';
    $d = $length > 2 ? substr_replace($b, '_', 1, 1) : 'y';
    echo $length, ':', (int) ($a === $b), (int) ($a !== $b), (int) ($a == $b), (int) ($a === $c), (int) ($a == $c), (int) ($a != $d),
        (int) (strrev($a) === strrev($b)), (int) (strrev($a) === strrev($c)), (int) (trim($a) != trim($d)), (int) ($a < $c), "\n";
    if (strrev($a) === strrev($b)) { echo 'same '; }
    if (strrev($a) !== strrev($d)) { echo 'other '; }
    if ($a === $b && !($a === $c)) { echo "right\n"; }
}
var_dump('10' == '1e1', '0010' == '10', 'abc' == 'ABC', '1 ' == '1', ' 1' == ' 1', 'a' == 'a ');

// Arrays.
$empty = [];
$one = [1];
var_dump($empty === [], $one === [], $one !== [], [] === array_slice($one, 1), [1] === array_slice($one, 0), array_merge($one, $one) !== [1], [NAN] === [NAN]);
if (array_values($one) === []) { echo "empty\n"; } else { echo "not empty\n"; }
if ($empty === array_keys([])) { echo "both empty\n"; }

// Truth of temporaries.
foreach (['', '0', '00', 'text'] as $text) {
    echo strrev($text) ? 'true' : 'false', ' ', explode(',', $text) ? 'true' : 'false', ' ', array_filter([$text]) ? 'true' : 'false', "\n";
}
