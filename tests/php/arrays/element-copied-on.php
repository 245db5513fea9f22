<?php
// An element read into a variable that is then copied to another: both have it.
function both(array $list, int $i) {
    $first = $list[$i];
    $second = $first;
    return $first . $second;
}
function chain(string $text, int &$at) {
    $quote = $text[$at];
    $value = $quote;
    ++$at;
    for (; strlen($text) > $at; ++$at) {
        switch ($text[$at]) {
            case $quote:
                return $value . $quote;
            default:
                $value .= $text[$at];
        }
    }
}
function nested(array $list) {
    $a = $b = $list['x'];
    $c = $a['y'];
    $d = $c;
    $e = $d;
    return [$a, $b, $c, $d, $e];
}
var_dump(both(['x'], 0));
$at = 0;
var_dump(chain("'abc' d", $at), $at);
echo json_encode(nested(['x' => ['y' => 1]])), "\n";
