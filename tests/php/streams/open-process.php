<?php
// Only proc_close waits for a process: neither the last handle's end nor the script's does.
$start = microtime(true);
$process = proc_open('exec sleep 20', [], $pipes);
$pid = proc_get_status($process)['pid'];
unset($process);
var_dump(microtime(true) - $start < 10, posix_kill($pid, 0), posix_kill($pid, SIGKILL));
$left = proc_open('exit 3', [], $pipes);
var_dump(proc_close($left));
$open = proc_open('exec sleep 20', [], $pipes);
register_shutdown_function(function () use ($start) { var_dump(microtime(true) - $start < 15); });
posix_kill(proc_get_status($open)['pid'], SIGKILL);
