<?php
// Compiled loops inside of a loop that the interpreter runs: the native stack does not grow with each entry.
function inner(array $list): int
{
    $sum = 0;
    foreach ($list as $value) {
        $sum += $value;
    }
    return $sum;
}
$total = 0;
$list = range(1, 5);
for ($i = 0; $i < 300000; $i++) {
    extract(['factor' => $i & 3]);
    for ($j = 0; $j < 3; $j++) {
        $total += $j * $factor;
    }
}
echo $total, ' ', inner($list), "\n";
