<?php
// What cannot be made for want of descriptors is told by what it is.
posix_setrlimit(POSIX_RLIMIT_NOFILE, 40, 40);
$open = [];
while ($file = @fopen('/dev/null', 'r')) {
    $open[] = $file;
}
foreach ([[['pipe', 'r']], [['socket']], [['null']], [['file', '/dev/null', 'r']]] as $specification) {
    @proc_open('true', $specification, $pipes);
    echo error_get_last()['message'], "\n";
}
