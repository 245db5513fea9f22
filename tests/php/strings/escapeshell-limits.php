<?php
// What no command line can hold is refused.
foreach (['escapeshellarg', 'escapeshellcmd'] as $function) {
    foreach ([8 << 20, 2 ** 30 >> 6] as $length) {
        foreach (['a', '\'', ';'] as $byte) {
            try {
                echo strlen($function(str_repeat($byte, 1000))), ' ', strlen($function(str_repeat($byte, $length))), "\n";
            } catch (ValueError $error) {
                echo preg_replace('/\d+/', 'N', $error->getMessage()), "\n";
            }
        }
    }
}
