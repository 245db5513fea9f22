<?php
// global, $GLOBALS and what functions see of the outside.
$total = 1;
function add($n)
{
    global $total, $created;
    $total += $n;
    $created = 'made here';
}
add(5);
echo $total, $created, "\n";
function table()
{
    $GLOBALS['total']++;
    $GLOBALS['fresh'] = [1];
    $GLOBALS['fresh'][] = 2;
    unset($GLOBALS['created']);
    return isset($GLOBALS['nope'], $GLOBALS['total']);
}
var_dump(table(), $total, $fresh, isset($created));
$copy = $GLOBALS;
$copy['total'] = 'unchanged';
echo $total, "\n";
foreach ($GLOBALS as $name => $value) {
    if (in_array($name, ['total', 'fresh'])) {
        echo $name, '=', json_encode($value), ' ';
    }
}
function shadow()
{
    global $total;
    $other = 'local';
    $total = &$other;
    return $total;
}
echo shadow(), $total, "\n";
