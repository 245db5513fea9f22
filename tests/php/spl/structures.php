<?php
// Data structures, with the errors of their limits.
$stack = new SplStack();
$stack[] = 1;
$stack[] = 2;
foreach ($stack as $at => $value) {
    echo "$at:$value ";
}
echo $stack->pop(), $stack->top(), "\n";
$queue = new SplPriorityQueue();
foreach (['low' => 1, 'high' => 9, 'mid' => 5] as $name => $priority) {
    $queue->insert($name, $priority);
}
echo implode(' ', iterator_to_array($queue, false)), "\n";
$heap = new SplMinHeap();
foreach ([3, 1, 2] as $value) {
    $heap->insert($value);
}
echo $heap->extract(), $heap->extract(), $heap->extract(), "\n";
$fixed = SplFixedArray::fromArray([1, 2, 3]);
try {
    $fixed[3] = 4;
} catch (RuntimeException $e) {
    echo get_class($e), ': ', $e->getMessage(), "\n";
}
$storage = new SplObjectStorage();
$object = new stdClass();
$storage[$object] = 'info';
var_dump(count($storage), $storage[$object], isset($storage[new stdClass()]));
$array = new ArrayObject(['a' => ['b' => 1]], ArrayObject::ARRAY_AS_PROPS);
$array['a']['b']++;
$array->c = 3;
var_dump($array);
echo serialize($array), "\n";
