<?php
// What is no key is told in the words of the instruction that plain calls of array_key_exists() are, or of the function.
namespace Inner {
    function plain(mixed $key): void
    {
        try {
            array_key_exists($key, []);
        } catch (\TypeError $error) {
            echo $error->getMessage(), "\n";
        }
        try {
            \array_key_exists($key, []);
        } catch (\TypeError $error) {
            echo $error->getMessage(), "\n";
        }
    }
    plain([]);
}

namespace {
    foreach ([[], new stdClass] as $key) {
        foreach ([
            fn() => array_key_exists($key, []),
            fn() => key_exists($key, []),
            fn() => call_user_func('array_key_exists', $key, []),
            fn() => array_map('array_key_exists', [$key], [[]]),
        ] as $call) {
            try {
                $call();
            } catch (TypeError $error) {
                echo $error->getMessage(), "\n";
            }
        }
    }
}
