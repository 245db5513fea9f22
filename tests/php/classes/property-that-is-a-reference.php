<?php
// A property stays a reference after it was passed by reference; assignments go through it.
class Holder {
    public $value;
    public ?int $number = 1;
    public array $list = [1];
    public function set($value) { $this->value = $value; }
    public function number($value) { $this->number = $value; }
    public function element($key, $value) { $this->list[$key] = $value; }
}
function touch_it(&$place) {}
$holder = new Holder;
touch_it($holder->value);
touch_it($holder->number);
touch_it($holder->list);
foreach ([1, 'two', [3], new ArrayObject, null] as $value) {
    $holder->set($value);
    var_dump($holder->value === $value);
}
$alias = &$holder->value;
foreach ([1, 'two', [3]] as $value) {
    $holder->set($value);
    var_dump($alias);
}
foreach ([5, '6', 'seven', null] as $value) {
    try {
        $holder->number($value);
    } catch (TypeError $error) {
        echo $error->getMessage(), "\n";
    }
    var_dump($holder->number);
}
$typed = new Holder;
$holder->value = &$typed->number;
foreach ([7, '8', 'nine'] as $value) {
    try {
        $holder->set($value);
    } catch (TypeError $error) {
        echo $error->getMessage(), "\n";
    }
    var_dump($typed->number);
}
$array = ['x' => 1, 'y' => ['z' => 1]];
$one = &$array['x'];
$inner = &$array['y']['z'];
for ($i = 0; $i < 3; $i++) {
    $array['x'] = $i;
    $array['y']['z'] = "z$i";
    $holder->element('k', $i);
    $holder->list['k']++;
    echo $one, $inner, $holder->list['k'], "\n";
}
unset($array['y']['z']);
var_dump($array, $inner);
