<?php
// All kinds of descriptors, and what is said of wrong ones.
$specs = [
    [['redirect']], [['redirect', 'foo']], [['redirect', 42]], [['foo']], [['pipe']], [['file']], [['file', 'x']], [1],
    [[]], ['x' => ['null']],
];
foreach ($specs as $spec) {
    try {
        var_dump(@proc_open(['true'], $spec, $pipes));
        echo error_get_last()['message'], "\n";
    } catch (Throwable $error) {
        echo get_class($error), ' ', $error->getMessage(), "\n";
    }
}
$command = ['sh', '-c', 'echo three >&3; cat <&4; echo err >&2; echo out'];
$spec = [1 => ['pipe', 'w'], 2 => ['redirect', 1], 3 => ['pipe', 'w'], 4 => ['pipe', 'r']];
$process = proc_open($command, $spec, $pipes);
echo json_encode(array_keys($pipes)), "\n";
fwrite($pipes[4], "in\n");
fclose($pipes[4]);
echo stream_get_contents($pipes[3]), stream_get_contents($pipes[1]), proc_close($process), "\n";

$file = tempnam(sys_get_temp_dir(), 'proc');
$process = proc_open(['sh', '-c', 'echo out; echo err >&2'], [['null'], ['file', $file, 'w'], ['redirect', 1]], $pipes);
echo count($pipes), proc_close($process), file_get_contents($file);
unlink($file);

$process = proc_open(['cat'], [['socket'], ['socket']], $pipes);
fwrite($pipes[0], "through sockets\n");
stream_socket_shutdown($pipes[0], STREAM_SHUT_WR);
echo fgets($pipes[1]), stream_get_meta_data($pipes[1])['stream_type'], "\n";
fclose($pipes[0]);
proc_close($process);

$process = proc_open(['sleep', '5'], [], $pipes);
var_dump(proc_terminate($process, 0), proc_terminate($process), count($pipes));
while (($status = proc_get_status($process))['running']) {
    usleep(1000);
}
echo $status['signaled'] ? 'signal ' : 'none ', $status['termsig'], ' ', $status['exitcode'], "\n";
proc_close($process);
