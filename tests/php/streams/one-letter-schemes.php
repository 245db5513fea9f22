<?php
// A scheme has two letters at least: with one letter it is the name of a file.
class Wrapper
{
    public $context;
    function stream_open($path, $mode, $options, &$opened)
    {
        echo "open $path\n";
        return true;
    }
    function stream_read($count) { return ''; }
    function stream_eof() { return true; }
    function stream_stat() { return []; }
    function stream_set_option($option, $one, $two) { return false; }
}
var_dump(stream_wrapper_register('w', 'Wrapper'), stream_wrapper_register('ww', 'Wrapper'));
var_dump(file_get_contents('ww://x'), file_get_contents('w://x'), file_exists('w://x'));
var_dump(include 'ww://y', include 'w://y');
