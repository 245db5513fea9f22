<?php
// Which operands are constants to PHP's compiler, and when variables are read: it shows in the order of what is said.
$i = [];
foreach ([
    fn() => (([[1], [2, 3]] <=> null) | $i),
    fn() => ([-5 => 1, 2] * (false <=> 1e100)),
    fn() => (([1, 2, 3] <=> 5) & $i),
    fn() => (([] == null) ^ $i),
    fn() => (('' <=> null) * $i),
    fn() => ((5 > []) | $i),
    fn() => (([1] >= 'x') & $i),
    fn() => ((null < true) ^ $i),
    fn() => (([1] < [2]) | $i),
] as $operation) {
    try {
        var_dump($operation());
    } catch (TypeError $e) {
        echo $e->getMessage(), "\n";
    }
}
var_dump([] <=> null, null <=> [1], true <=> [], [] <=> 'a', 1.5 <=> [], '' == null, 'a' > null, null >= 'a', false == '0');
var_dump(null <=> 0, NAN == true, null < -1, [] != false, 5 <= [0], [0] <= 5);

$a[0] *= (false ? 1 : $u);
$b[0] = (true ? $u : 1);
$b[$j] = (true ? $u : 1);
$c = $k + (true ? $u : 1);
$c = (true ? $u : 1) + $k;
$d[$k] .= (null ?? $u);
$c = (0 ?: $u) . $k;
