<?php
// With variables, how many were assigned; without, an array, with NULL where nothing was read.
var_dump(sscanf('age: 25 name: Ann', 'age: %d name: %s'));
var_dump(sscanf('12 apples', '%d %s', $count, $what), $count, $what);
var_dump(sscanf('', '%d'), sscanf('', '%d', $none));
var_dump(sscanf('x', '%d %s'));
$file = tmpfile();
fwrite($file, "7 seven\n\n8\n");
rewind($file);
while (($row = fscanf($file, '%d %s')) !== false) {
    echo json_encode($row), "\n";
}
