<?php
// Loops by reference keep their place when the array gets another form: a list with holes becomes a hash.
$list = [1 => 'one', 3 => 'three'];
foreach ($list as $key => &$value) {
    echo $key, ' ';
    if ($key < 9) {
        $list[9] = 'nine';
    }
}
unset($value);
echo "\n";
$list = [1 => 'one', 3 => 'three', 4 => 'four'];
foreach ($list as $key => &$value) {
    echo $key, ' ';
    $list[0] = 'zero';
    unset($list[0]);
}
unset($value);
echo "\n";
// Many holes, closed by growing.
$table = [];
for ($i = 0; $i < 40; $i++) {
    $table["k$i"] = $i;
}
for ($i = 0; $i < 40; $i += 2) {
    unset($table["k$i"]);
}
$seen = 0;
foreach ($table as $key => &$value) {
    $seen++;
    if ($seen < 30) {
        $table["new$seen"] = $seen;
    }
}
unset($value);
echo $seen, ' ', count($table), "\n";
// What else the variable may hold meanwhile.
$list = [1, 2, 3];
foreach ($list as &$value) {
    echo $value, "\n";
    $list = 'text';
}
unset($value);
$list = [1, 2, 3];
foreach ($list as $key => &$value) {
    echo $key, ' => ', $value, "\n";
    if (is_array($list)) {
        $list = (object) ['x' => 10, 'y' => 20];
    }
}
