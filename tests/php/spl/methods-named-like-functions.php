<?php
// Methods may have the names of functions that must be called by name.
$heap = new SplMinHeap;
foreach ([3, 1, 2] as $number) {
    $heap->insert($number);
}
$name = 'extract';
echo $heap->$name(), call_user_func([$heap, 'extract']), (new ReflectionMethod($heap, 'extract'))->invoke($heap), "\n";
$queue = new SplPriorityQueue;
$queue->insert('a', 1);
echo implode(array_map([$queue, 'extract'], [])), ($queue->extract(...))(), "\n";
try {
    $name(['x' => 1]);
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}

$file = new SplTempFileObject;
foreach ([0, 4, 8] as $operation) {
    try {
        $file->flock($operation);
    } catch (ValueError $e) {
        echo $e->getMessage(), "\n";
    }
}
