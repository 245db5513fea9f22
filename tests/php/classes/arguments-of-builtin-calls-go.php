<?php
// What is passed to a builtin function goes when it returns, also when the function warned of something.
class Wrapper
{
    public $context;

    function stream_open($path, $mode, $options, &$opened)
    {
        return true;
    }

    function stream_close()
    {
        echo "closed\n";
    }

    function __destruct()
    {
        echo "gone\n";
    }
}

stream_wrapper_register('wrapper', 'Wrapper');

function seek()
{
    return @fseek(fopen('wrapper://x', 'r'), 3);
}

for ($i = 0; $i < 3; $i++) {
    var_dump(seek());
    @stream_set_blocking(fopen('wrapper://x', 'r'), true);
    echo "--\n";
}
