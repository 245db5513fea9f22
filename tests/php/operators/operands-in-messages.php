<?php
// PHP exchanges the operands of some operators by what its compiler knows of them: a condition's result is not known, a sum of arrays is.
function calls() {
    $s = 'a';
    return [
        fn() => (([-5 => 1, 2] ?: '0x1A') | --$i), fn() => ((5 ?: 2147483647) | ($i = [])), fn() => ((['a' => 1] ?: $m) * $i--),
        fn() => (([-5 => 1, 2] ?: $m) ^ ((5 - 4294967296) ^ count([1]))), fn() => ((7 ?: 64) ^ --$s),
        fn() => ([true, false] + [true, false]) ^ (($i | $j) & ($i + 64)), fn() => (true ? [1] : 2) & ($i + 1), fn() => ([1] + ['k' => 2]) * ($i + 1),
        fn() => ([1] ?? 2) & ($i + 1), fn() => [1] & ($i + 1), fn() => -([1] ?: 1) & ($i + 1), fn() => ((1 ?: 2) + 1) & ($i = []),
    ];
}
foreach (calls() as $call) {
    try {
        @$call();
    } catch (TypeError $e) {
        echo $e->getMessage(), "\n";
    }
}
var_dump([1, 'k' => 2] + [5, 6, 'k' => 7, 'l' => 8], [] + [3 => 1], ([1] + [2]) === [1]);
