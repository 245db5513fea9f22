<?php
// What counts as a number, with leading and trailing white space.
foreach (["1", " 1", "1 ", "1x", "x1", "", ".5", "5.", "1e3", "1e", "0x1", "-", "+1", "1_000", "\n1", "1\0"] as $s) {
    echo json_encode($s), ' ', json_encode(is_numeric($s)), ' ', (int) $s, ' ', (float) $s, ' ', json_encode($s == 1), "\n";
}
try {
    var_dump("1x" + 1);
    var_dump("x" + 1);
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
var_dump("9223372036854775808" + 0, "9223372036854775807" + 0, (int) "9223372036854775808", (int) 1e19, (int) NAN, "1e1000" + 0);
$a = ["1" => 'int', "01" => 'string', "-5" => 'int', "-0" => 'string', "9223372036854775808" => 'string', true => 'one', 1.7 => 'one', null => 'empty'];
var_dump($a);
