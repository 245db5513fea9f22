<?php
// Jumps forward, backward and out of loops.
$i = 0;
again:
$i++;
if ($i < 3) {
    goto again;
}
foreach ([1, 2, 3] as $v) {
    foreach ([4, 5] as $w) {
        if ($v * $w === 10) {
            goto out;
        }
    }
}
out:
echo "$i $v $w\n";
goto end;
echo "never\n";
end:
echo "end\n";
try {
    goto inside;
    echo "skipped\n";
    inside:
    echo "inside\n";
    goto after;
} finally {
    echo "finally\n";
}
after:
echo "after\n";
