<?php
// foreach walks the array as it was; changes to the variable are not seen.
$a = [1, 2, 3];
foreach ($a as $k => $v) {
    if ($k === 0) {
        $a[] = 4;
        unset($a[1]);
    }
    echo "$k=>$v ";
}
echo json_encode($a), "\n";
foreach ($a as &$v) {
    $v *= 10;
}
unset($v);
echo json_encode($a), "\n";
$b = [1, 2, 3];
foreach ($b as $k => &$v) {
    if ($k < 3) {
        $b[] = $v * 2;
    }
}
echo json_encode($b), "\n";
foreach ($b as $v);
echo json_encode($b), "\n";
foreach ([[1, [2, 3]], [4, [5, 6]]] as [$x, [, $y]]) {
    echo $x, $y, ' ';
}
foreach ([['id' => 1, 'n' => 'a'], ['id' => 2, 'n' => 'b']] as ['id' => $id, 'n' => $name]) {
    echo "$id$name ";
}
foreach ((object) ['p' => 1, 'q' => 2] as $name => $value) {
    echo "$name:$value ";
}
foreach ("no array" as $x) {
}
foreach (null ?? [] as $x) {
}
