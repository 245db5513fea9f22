<?php
// Whatever follows the word is not looked at; php://memory has to be exact.
foreach (['php://temp,', 'PHP://TEMPorary', 'php://temp/maxmemory:10', 'php://memory,'] as $name) {
    $stream = @fopen($name, 'w+');
    echo $name, ' ', $stream ? fwrite($stream, 'text') : error_get_last()['message'], "\n";
}
