<?php
// A loop by reference over a variable that is not set leaves it unset.
function loops()
{
    foreach ($undefined as &$value) {
    }
    var_dump(isset($undefined), array_key_exists('undefined', get_defined_vars()));
    echo $undefined;
    foreach ($other as $key => [$one, &$two]) {
    }
    var_dump(get_defined_vars());
    $null = null;
    foreach ($null as &$value) {
    }
    var_dump($null);
    $list = [1, 2];
    foreach ($list as &$value) {
        $value *= 2;
    }
    unset($value);
    var_dump($list);
}
loops();
foreach ($global as &$value) {
}
var_dump(isset($global), isset($GLOBALS['global']));
