<?php
// PHP 8's comparison of numbers and strings, and the table of loose equality.
$values = [true, false, 0, 1, -1, "1", "0", "-1", null, [], "php", "", "1.0", "1e0", 1.0];
foreach ($values as $left) {
    $row = '';
    foreach ($values as $right) {
        $row .= ($left == $right ? '=' : '.') . ($left < $right ? '<' : '.') . ' ';
    }
    echo str_pad(json_encode($left), 6), $row, "\n";
}
var_dump("abc" == 0, "1" == "01", "10" == "1e1", 100 == "1e2", null == false, [] == false, "0.0" == "0", " 1" == 1, "1 " == 1);
var_dump([1, 2] == [2 => 1], ["a" => 1, "b" => 2] == ["b" => 2, "a" => 1], ["a" => 1, "b" => 2] === ["b" => 2, "a" => 1]);
var_dump(NAN == NAN, INF == INF, NAN <=> 1, [1, 2, 3] > [9, 9]);
