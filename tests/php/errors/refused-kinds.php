<?php
// How a value that cannot be called or unpacked is named.
foreach ([true, false, null, 1, 1.5, new stdClass, fopen('php://memory', 'r')] as $value) {
    try {
        $value();
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
    try {
        [...$value];
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
    try {
        max(...$value);
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
