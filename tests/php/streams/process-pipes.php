<?php
// Processes and what is written to them and read from them.
function run($command, $spec, $use = null, ...$more)
{
    $process = proc_open($command, $spec, $pipes, ...$more);
    $result = $use ? $use($pipes, $process) : array_map('stream_get_contents', $pipes);
    foreach ($pipes as $pipe) {
        if (is_resource($pipe)) {
            fclose($pipe);
        }
    }
    echo json_encode($result), ' ', proc_close($process), "\n";
}
$all = [['pipe', 'r'], ['pipe', 'w'], ['pipe', 'w']];
run('cat; echo err >&2; exit 3', $all, function ($pipes) {
    fwrite($pipes[0], "one\ntwo");
    fclose($pipes[0]);
    return [stream_get_contents($pipes[1]), stream_get_contents($pipes[2]), feof($pipes[1])];
});
run(['printf', '%s|', 'a b', '$HOME', "it's"], [1 => ['pipe', 'w']]);
run('echo $A$B; pwd', [1 => ['pipe', 'w']], null, '/', ['A' => 'x', 'B' => 'y']);
run('echo out; echo err >&2', [1 => ['pipe', 'w'], 2 => ['redirect', 1]]);
run('echo lost; echo kept >&2', [1 => ['null'], 2 => ['pipe', 'w']]);
run('echo three >&3; read line <&4; echo got $line', [1 => ['pipe', 'w'], 3 => ['pipe', 'w'], 4 => ['pipe', 'r']], function ($pipes) {
    fwrite($pipes[4], "four\n");
    return [fgets($pipes[3]), fgets($pipes[1])];
});
// More than a pipe holds, both ways at once.
run('cat', [['pipe', 'r'], ['pipe', 'w']], function ($pipes) {
    $left = str_repeat('0123456789', 50000);
    $got = '';
    stream_set_blocking($pipes[0], false);
    while (!feof($pipes[1])) {
        $read = [$pipes[1]];
        $write = $left === '' ? [] : [$pipes[0]];
        $except = null;
        stream_select($read, $write, $except, 5);
        if ($write) {
            $left = substr($left, fwrite($pipes[0], $left));
            if ($left === '') {
                fclose($pipes[0]);
            }
        }
        if ($read) {
            $got .= fread($pipes[1], 8192);
        }
    }
    return [strlen($got), md5($got)];
});
run('read x; echo $x', [['pipe', 'r'], ['pipe', 'w']], function ($pipes, $process) {
    $status = proc_get_status($process);
    $before = [$status['command'], $status['running'], $status['exitcode']];
    fwrite($pipes[0], "go\n");
    $line = fgets($pipes[1]);
    stream_get_contents($pipes[1]);
    usleep(100000);
    $status = proc_get_status($process);
    return [$before, $line, $status['running'], $status['exitcode'], $status['signaled']];
});
run('sleep 10', [1 => ['pipe', 'w']], function ($pipes, $process) {
    proc_terminate($process, 9);
    usleep(100000);
    $status = proc_get_status($process);
    return [$status['running'], $status['signaled'], $status['termsig']];
});
$file = tmpfile();
fwrite($file, "from a file\n");
rewind($file);
run('cat', [0 => $file, 1 => ['pipe', 'w']]);
$name = tempnam(sys_get_temp_dir(), 'pipes');
run('echo written', [1 => ['file', $name, 'w']]);
run('cat; echo more >&2', [0 => ['file', $name, 'r'], 1 => ['pipe', 'w'], 2 => ['file', $name, 'a']]);
echo file_get_contents($name);
unlink($name);
$pipe = popen('cat >&2; exit 5', 'w');
var_dump(fwrite($pipe, ''), pclose($pipe));
$pipe = popen('echo line; echo next', 'r');
var_dump(fgets($pipe), fgets($pipe), fgets($pipe), feof($pipe), pclose($pipe));
exec('echo a; echo "b  "; exit 2', $lines, $code);
var_dump($lines, $code, shell_exec('printf "x\0y"'), shell_exec('true'), `echo ticks`);
foreach ([[], ['x' => ['pipe', 'w']], [['pipe']], [['what', 'r']], [['file', 'x']]] as $spec) {
    try {
        var_dump(is_resource(@proc_open('true', $spec, $pipes)));
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
}
