<?php
// Arguments by reference in hot loops: builtin functions and functions of the script; variables that are not set before.
function bump(int &$n, int $by): int { $n += $by; return $n; }
function swap(&$a, &$b): void { [$a, $b] = [$b, $a]; }
function words(array $lines): array
{
    $out = [];
    foreach ($lines as $line) {
        if (preg_match('/^(\w+)=(\d+)$/', $line, $m)) {
            $out[$m[1]] = (int)$m[2];
        } elseif (preg_match('/^#(.*)$/', $line, $m)) {
            $out['#'][] = $m[1];
        }
    }
    return $out;
}
$lines = [];
for ($i = 0; $i < 3000; $i++) {
    $lines[] = $i % 3 ? "k$i=$i" : "#c$i";
}
$all = words($lines);
echo count($all), ' ', count($all['#']), ' ', $all['k2999'], "\n";
for ($i = 0; $i < 50; $i++) {
    $w = words(array_slice($lines, $i, 40 + $i));
    echo count($w), ',';
}
echo "\n";
$n = 0;
$queue = [1, 2, 3];
$sum = 0;
for ($i = 0; $i < 5000; $i++) {
    bump($n, $i & 3);
    $x = array_shift($queue);
    $sum += $x;
    array_push($queue, $x + 1, $i & 7);
    if (count($queue) > 20) {
        $sum += array_pop($queue);
        sort($queue);
        [$p, $q] = [$queue[0], $queue[1]];
        swap($p, $q);
        $sum += $p * 2 - $q;
    }
}
echo "$n $sum ", count($queue), "\n";
// A loop that is entered anew, with other kinds in variables that it writes first.
function scan(string $s, int $from): string
{
    $out = '';
    $len = strlen($s);
    for ($i = $from; $i < $len; $i++) {
        $c = $s[$i];
        if ($c === '*') {
            $e = strpos($s, '*', $i + 1);
            if ($e !== false) {
                $out .= '<' . substr($s, $i + 1, $e - $i - 1) . '>';
                $i = $e;
                continue;
            }
        }
        $last = $c;
        $out .= $c;
    }
    return $out . (isset($last) ? "[$last]" : '') . (isset($e) ? var_export($e, true) : '-');
}
for ($i = 0; $i < 400; $i++) {
    $text = scan(str_repeat('ab*cd*e', 1 + $i % 3) . ($i % 5 === 0 ? '*' : ''), $i % 4);
}
echo $text, ' ', scan('*', 0), ' ', scan('', 0), ' ', scan('xy', 0), "\n";
