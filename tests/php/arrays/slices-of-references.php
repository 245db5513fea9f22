<?php
// A reference that only the array holds becomes a value in a slice, also when the slice is the whole array.
function change(&$value)
{
    $value = 'changed';
}

$number = 0;
$array = [&$number];
unset($number);
$slice = array_slice($array, 0, 1);
call_user_func_array('change', $slice);
var_dump($slice, $array);

$number = 0;
$array = [1, &$number];
$slice = array_slice($array, 0);
$number = 2;
var_dump($slice, array_slice($array, 0, 2, true));
