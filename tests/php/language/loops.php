<?php
// All loops, with break and continue levels and their alternative forms.
for ($i = 0, $j = 10; $i < $j; $i += 3, $j--) {
    echo "$i-$j ";
}
echo "\n";
$n = 5;
while (true) {
    if ($n-- === 0) {
        break;
    }
    if ($n % 2) {
        continue;
    }
    echo $n, ' ';
}
do {
    echo "once ";
} while (false);
foreach ([1, 2, 3] as $a) {
    foreach ([1, 2, 3] as $b) {
        if ($b === 2) {
            continue 2;
        }
        if ($a === 3) {
            break 2;
        }
        echo "[$a,$b]";
    }
}
echo "\n";
for (;;) {
    if (++$n > 3) break;
}
for ($i = 0; $i < 3; $i++): echo $i; endfor;
while ($i-- > 0): echo $i; endwhile;
foreach (['x' => 1, 'y' => 2] as $k => $v): echo "$k=$v,"; endforeach;
if ($n > 100): echo 'big'; elseif ($n > 3): echo 'middle'; else: echo 'small'; endif;
echo "\n", $n, $k, $v, "\n";
