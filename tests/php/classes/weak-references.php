<?php
// WeakReference and WeakMap let objects go.
$o = new stdClass;
$w = WeakReference::create($o);
var_dump($w->get() === $o, WeakReference::create($o) === $w);
$map = new WeakMap;
$map[$o] = 'data';
$other = new stdClass;
$map[$other] = ['x'];
echo count($map), $map[$o], isset($map[$other]) ? 'set' : 'unset', "\n";
unset($o);
var_dump($w->get(), count($map));
foreach ($map as $key => $value) {
    echo get_class($key), json_encode($value), "\n";
}
try {
    $map['no object'] = 1;
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
try {
    $map[new stdClass];
} catch (Error $e) {
    echo preg_replace('/#\d+/', '#n', $e->getMessage()), "\n";
}
