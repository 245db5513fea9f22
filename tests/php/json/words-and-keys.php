<?php
// The words are lower case, and a key that is no UTF-8 is an empty one where output may be partial.
foreach (['true', 'TRUE', 'True', 'false', 'FALSE', 'null', 'NULL', '[nULL]', '{"a":tRUE}'] as $text) {
    var_dump(json_decode($text), json_last_error_msg(), json_validate($text));
}
var_dump(json_encode(["a\xff" => 1, 'b' => "\xff", '5x' => '5'], JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_NUMERIC_CHECK));
$object = new stdClass;
$object->{"\xff"} = 1;
var_dump(json_encode($object, JSON_PARTIAL_OUTPUT_ON_ERROR), json_encode($object), json_last_error_msg());
