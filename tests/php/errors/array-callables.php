<?php
// What is wrong with an array that is called: the first thing that PHP finds.

foreach ([[null, null], [1, 'f'], ['f', 1], [new stdClass, null], [1], ['a' => 1, 'b' => 2], [1, 2, 3]] as $callable) {
    try {
        $callable();
    } catch (Error $error) {
        echo $error->getMessage(), "\n";
    }
}
