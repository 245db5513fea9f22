<?php
while ($a) {
    if ($b) {
        continue;
    }
    break;
}
for ($i = 0, $j = 1; $i < 10; $i++) {
    foreach ($list as $k => $v) {
        if ($v) {
            break 2;
        }
        foreach (f() as &$r) {
            continue 2;
        }
    }
}
foreach ($list as $o->k => [$x, $y]) {
}
do {
    goto out;
} while (1);
out:
