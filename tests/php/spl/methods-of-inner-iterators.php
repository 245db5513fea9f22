<?php
class Around extends IteratorIterator { public function __call($name, $arguments) { return $name; } }
$array = new ArrayIterator([1, 2]);
foreach ([new IteratorIterator($array), new LimitIterator(new NoRewindIterator($array)), new Around($array), new RecursiveIteratorIterator(new RecursiveArrayIterator([1]))] as $iterator) {
    foreach (['offsetGet', 'getArrayCopy', 'asort', 'nothing', 'current'] as $method) {
        var_dump(method_exists($iterator, $method));
    }
    var_dump(method_exists($iterator::class, 'offsetGet'));
}
echo (new LimitIterator(new NoRewindIterator($array)))->offsetGet(1), "\n";
