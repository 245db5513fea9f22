<?php
// Each flag orders the same values its own way; equal values keep their order.
$values = ["10", 9, "1e1", "img12", "img10", "IMG2", "img1", true, null];
foreach (['SORT_REGULAR', 'SORT_NUMERIC', 'SORT_STRING', 'SORT_NATURAL'] as $name) {
    $copy = ["img12", "img10", "IMG2", "img1", "10", "9", "1"];
    sort($copy, constant($name));
    echo $name, ": ", implode(" ", $copy), "\n";
}
$copy = ["img12", "img10", "IMG2", "img1"];
sort($copy, SORT_NATURAL | SORT_FLAG_CASE);
echo implode(" ", $copy), "\n";
$people = ["x" => 2, "a" => 1, "b" => 2, "c" => 1];
asort($people);
echo json_encode($people), "\n";
arsort($people);
echo json_encode($people), "\n";
$rows = [3, 1, 2];
$names = ["c", "a", "b"];
array_multisort($rows, SORT_DESC, $names);
echo json_encode([$rows, $names]), "\n";
