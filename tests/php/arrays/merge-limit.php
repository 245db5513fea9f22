<?php
// More elements than an array can have.
$long = range(0, 2 ** 20);
try {
    array_merge(...array_fill(0, 2 ** 12, $long));
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
// A name that is empty gets no prefix; one that is only invalid does.
echo extract(['' => 1, 'x' => 2], EXTR_PREFIX_ALL, 'p'), extract(['' => 1, '4' => 2], EXTR_PREFIX_INVALID, 'q'), "\n";
