<?php
// Nothing, and what has a NUL byte, is no path to include.

set_include_path('.');
foreach (["", "a\0b", "\0"] as $path) {
    try {
        include $path;
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
    try {
        require $path;
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
try {
    require_once "a\0b";
} catch (Error $e) {
    echo get_class($e), ': ', $e->getMessage(), "\n";
}
include_once "a\0b";
