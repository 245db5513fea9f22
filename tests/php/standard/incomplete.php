<?php
// Objects of a class that is not there.
function access($object) {
    var_dump($object->p, isset($object->p), $object->q ?? 'nothing', empty($object->p));
    foreach ([
        fn() => $object->p = 1,
        function () use ($object) { unset($object->p); },
        fn() => $object->p[] = 1,
        function () use ($object) { $reference = &$object->p; },
    ] as $change) {
        try {
            $change();
        } catch (Error $error) {
            echo get_class($error), ': ', $error->getMessage(), "\n";
        }
    }
}
$object = unserialize('O:7:"Unknown":2:{s:1:"p";i:1;s:1:"r";a:0:{}}');
access($object);
var_dump($object, serialize($object), (array) $object);
foreach ($object as $name => $value) {
    echo $name, "\n";
}
access(new __PHP_Incomplete_Class);
