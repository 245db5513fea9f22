<?php
// Loops by reference over arrays that are shifted, spliced, cut and extended meanwhile.

function show(array $a, callable $change, int $limit = 12) {
    foreach ($a as $k => &$v) {
        echo "$k=$v ";
        $change($a, $k, $v);
        if (--$limit === 0) {
            break;
        }
    }
    unset($v);
    echo json_encode($a), "\n";
}
show([1, 2, 3, 4], fn(&$a) => array_shift($a));
show([1, 2, 3], fn(&$a, $k, $v) => $v < 3 ? array_unshift($a, 0) : 0);
foreach ([[3, 1, 2, []], [2, 1, 3, []]] as [$at, $start, $length, $new]) {
    $a = [0, 1, 2, 3, 4];
    $done = false;
    foreach ($a as &$v) {
        echo $v, " ";
        if (!$done && $v === $at) {
            $done = true;
            array_splice($a, $start, $length, $new);
        }
    }
    unset($v);
    echo json_encode($a), "\n";
}
show([100 => "a"], function (&$a, $k) { unset($a[$k]); $a[] = "b"; }, 4);
show(["p" => 1, "q" => 2], function (&$a, $k) { if ($k === "q") { unset($a["p"], $a["q"]); $a["r"] = 3; $a["s"] = 4; } });
show([1, 2, 3], fn(&$a, $k, $v) => array_pop($a));

set_error_handler(function ($level, $text) { throw new Exception($text); });
$a = [];
try {
    $a["k"] .= "x";
} catch (Exception $e) {
    echo $e->getMessage(), " ", json_encode($a), "\n";
}
foreach ((object) ["\0A\0hidden" => 1, "\0*\0half" => 2, "open" => 3] as $name => $value) {
    echo "$name=$value ";
}
echo "\n";
function named($x = null, ...$rest) { echo json_encode([$x, $rest]), "\n"; }
named(...(function () { yield "7" => 1; yield "8" => 2; yield "n" => 3; })());
