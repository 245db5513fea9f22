<?php
//: ini zend.assertions=1
// A callback that cannot be called, or throws, keeps neither the warning nor its own error away.
error_reporting(E_ALL & ~E_DEPRECATED);
ini_set("assert.exception", 0);
foreach (['missing', 'Missing::method', 'strlen'] as $callback) {
    ini_set('assert.callback', $callback);
    try {
        assert(false);
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
