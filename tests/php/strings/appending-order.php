<?php
// `.=` makes text of what is in the variable before it makes text of the operand.
set_error_handler(function ($number, $message) { echo "$message, "; });

class Speaks {
    function __toString() { echo 'asked, '; return 's'; }
}

$values = [fn() => [1], fn() => new stdClass, fn() => 'x', fn() => new Speaks, fn() => null, fn() => 1.5];
foreach ($values as $first) {
    foreach ($values as $second) {
        try {
            $variable = $first();
            $variable .= $second();
            echo json_encode($variable), "\n";
        } catch (Error $e) {
            echo $e->getMessage(), ' ', json_encode($variable), "\n";
        }
        try {
            $object = new stdClass;
            $object->list = [$first()];
            $object->list[0] .= $second();
            echo json_encode($object), "\n";
        } catch (Error $e) {
            echo $e->getMessage(), ' ', json_encode($object), "\n";
        }
    }
}
