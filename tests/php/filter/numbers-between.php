<?php
// Numbers in the ranges of filters are taken, though no filter has them.
set_error_handler(function ($level, $message) { echo "[$level] $message\n"; return true; });
foreach ([255, 256, 258, 278, 511, 512, 521, 524, 1023] as $id) {
    echo $id, " ";
    var_dump(filter_var("1<a", $id));
}
var_dump(filter_input_array(INPUT_GET, 256), filter_input_array(INPUT_GET, 99));
