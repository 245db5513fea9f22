<?php
//: exit 255
//: one-request the limit ends the process
// What structures outside of arrays and strings hold counts for memory_limit, too.
ini_set('memory_limit', '16M');
ini_set('display_errors', '0');

function fill(): int
{
    $list = new SplDoublyLinkedList();
    $heap = new SplMinHeap();
    for ($n = 0; $n < 20_000_000; $n++) {
        $list->push($n);
        $heap->insert($n);
    }
    return $n;
}

register_shutdown_function(function () {
    $error = error_get_last();
    echo strstr($error['message'] ?? 'none', ' (', true), "\n";
    $rest = new SplQueue();
    $rest[] = 'The next function runs as well';
    register_shutdown_function(fn () => print($rest->dequeue() . ".\n"));
});

echo "Filling.\n";
fill();
echo "Full.\n";
