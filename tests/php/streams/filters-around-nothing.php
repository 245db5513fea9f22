<?php
// What filters are put around cannot be opened: only the whole is told. A process that has ended stays known.
var_dump(file_get_contents('php://filter/resource=nowhere'));
var_dump(fopen('php://filter/read=string.toupper/resource=data:abc', 'r'));
var_dump(file('php://filter/resource=nobody://x'));

$process = proc_open('exit 3', [], $pipes);
do {
    usleep(1000);
    $status = proc_get_status($process);
} while ($status['running']);
var_dump($status['cached'], $status['exitcode']);
var_dump(proc_get_status($process)['cached']);
