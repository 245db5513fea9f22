<?php
// ++ and -- on every type, as values and on strings.
foreach ([null, 5, 1.5, "5", "5.5", "a", "Az", "zZ9", "", "Zz"] as $value) {
    $up = $down = $value;
    $up++;
    try {
        $down--;
    } catch (TypeError $e) {
        $down = $e->getMessage();
    }
    echo json_encode($value), ' => ', json_encode($up), ', ', json_encode($down), "\n";
}
$i = PHP_INT_MAX;
var_dump(++$i);
$i = 5;
echo $i++ + ++$i, ' ', $i-- - --$i, "\n";
$a = [3];
echo $a[0]++, $a[0], ++$a[0], "\n";
$o = new stdClass;
$o->n = 1;
echo $o->n++ . $o->n-- . --$o->n, "\n";
try {
    $array = [];
    $array++;
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
