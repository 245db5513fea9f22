<?php
// A place is sought from the start, the position or the end, and from nothing else.
foreach ([tmpfile(), fopen('php://memory', 'w+'), fopen('php://temp', 'w+')] as $stream) {
    fwrite($stream, 'some text');
    foreach ([[2, SEEK_SET], [1, SEEK_CUR], [-1, SEEK_END], [0, -1], [0, 9], [-1, SEEK_SET]] as [$offset, $whence]) {
        echo fseek($stream, $offset, $whence), ':', ftell($stream), ' ';
    }
    echo "\n";
}
$file = new SplTempFileObject;
$file->fwrite('text');
var_dump($file->fseek(1), $file->fseek(0, 7), $file->ftell());
// A variadic parameter has no name in the warning about values.
function references(&$one, &...$more) {}
(new ReflectionFunction('references'))->invoke(1, 2, 3);
(new ReflectionMethod('SplFileObject', 'fscanf'))->invoke($file, '%s', 5);
call_user_func('references', 1, 2);
