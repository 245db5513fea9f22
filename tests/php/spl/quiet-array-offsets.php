<?php
// Where nothing needs to be there, an offset of a wrong type is one "in isset or empty".
foreach ([new ArrayObject([1]), new ArrayIterator([1])] as $object) {
    foreach ([fn() => $object[[]] ?? 5, fn() => isset($object[[]]), fn() => $object[[]]['x'] ?? 5, fn() => $object[$object] ?? 5, fn() => $object[[]], fn() => $object[null] ?? 5, fn() => $object[0] ?? 5] as $call) {
        try {
            var_dump($call());
        } catch (TypeError $e) {
            echo $e->getMessage(), "\n";
        }
    }
}
