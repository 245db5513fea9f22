<?php
// Recursive iterators look at their argument themselves.
foreach ([[], null, new stdClass, new ArrayIterator([])] as $argument) {
    try {
        new RecursiveIteratorIterator($argument);
    } catch (TypeError | InvalidArgumentException $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}
