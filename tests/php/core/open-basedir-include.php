<?php
// Code outside of open_basedir is not included.
set_include_path('.');
ini_set('open_basedir', __DIR__ . '/nowhere');
set_error_handler(function ($level, $message) {
    echo str_replace([__FILE__, __DIR__], ['FILE', 'DIRECTORY'], $message), "\n";
    return true;
});
var_dump(include __FILE__);
var_dump(include_once __DIR__ . '/../core/strings-of-nothing.php');
try {
    require __FILE__;
} catch (Error $e) {
    echo str_replace(__FILE__, 'FILE', $e->getMessage()), "\n";
}
