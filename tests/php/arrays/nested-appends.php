<?php
// Elements that are missing become arrays on the way.
function group(array $pairs) {
    foreach ($pairs as [$key, $value]) {
        $groups[$key][] = $value;
        $named['all'][$key] = $value;
        $lists[][] = $value;
        $deep['a'][$key]['c'][] = $value;
    }
    return [$groups, $named, $lists, $deep];
}
echo json_encode(group([['a', 1], ['b', 2], ['a', 3], [7, 4], ['7', 5]])), "\n";
class Bag {
    public $free;
    public array $typed = [];
    public ?array $maybe = null;
    public ?int $number = null;
    function add($key, $value) {
        $this->free[$key][] = $value;
        $this->typed[$key][] = $value;
        $this->maybe[$key][] = $value;
    }
    function fail($key) { $this->number[$key][] = 1; }
}
$bag = new Bag;
$bag->add('x', 1);
$bag->add('x', 2);
$bag->add(1, 3);
echo json_encode($bag), "\n";
try {
    $bag->fail('x');
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}
foreach ([null, false, '', 0, 'text', 1.5] as $start) {
    $value = $start;
    try {
        $value['k'][] = 1;
    } catch (Error $error) {
        echo $error->getMessage(), "\n";
    }
    var_dump($value);
    $value = ['k' => $start];
    try {
        $value['k']['l'] = 1;
    } catch (Error $error) {
        echo $error->getMessage(), "\n";
    }
    var_dump($value);
}
foreach ([[], new stdClass, null, 1.5, true] as $key) {
    $value = [];
    try {
        $value['k'][$key] = 1;
    } catch (Error $error) {
        echo $error->getMessage(), "\n";
    }
    var_dump($value);
    unset($value);
    try {
        $value[$key]['k'] = 1;
    } catch (Error $error) {
        echo $error->getMessage(), "\n";
    }
    var_dump($value ?? 'nothing');
    unset($value);
}
$shared = ['a' => []];
$copy = $shared;
$copy['a'][] = 1;
$copy['b'][] = 1;
echo json_encode([$shared, $copy]), "\n";
$full = [PHP_INT_MAX => 1];
try {
    $full[][] = 1;
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
$reference = &$other;
$reference['a'][] = 1;
echo json_encode($other), "\n";
