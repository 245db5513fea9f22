<?php
// What is wrong with a command, an environment, an empty path, or the format of CSV.

function show(callable $body): void {
    try {
        var_dump($body());
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}

show(fn() => proc_open([''], [], $pipes));
show(fn() => proc_open(["a\0b"], [], $pipes));
show(fn() => proc_open(["true", "a\0b"], [], $pipes));
show(fn() => proc_open(["", "a\0b"], [], $pipes));
show(fn() => proc_open([[]], [], $pipes));
show(fn() => proc_open([new stdClass], [], $pipes));
show(fn() => proc_open(['no-such-program'], [], $pipes));
show(fn() => proc_open('true', [], $pipes, "/no-such-directory"));
$process = proc_open("echo a\0b", [1 => ['pipe', 'w']], $pipes);
echo stream_get_contents($pipes[1]);
$environment = ['a' => 1, 5 => 'x=y=z', '' => 'q', 'e' => ''];
$process = proc_open('echo "[$a] [$x] [$q] [${e-unset}]"', [1 => ['pipe', 'w']], $pipes, null, $environment);
echo stream_get_contents($pipes[1]);
show(fn() => opendir(''));
show(fn() => dir(''));
show(fn() => disk_free_space(''));
show(fn() => fputcsv(fopen('php://output', 'w'), ['a', 'b'], eol: "|"));
show(fn() => fgetcsv(STDIN, -1, ',', '"', ''));
show(fn() => fgetcsv(STDIN, PHP_INT_MAX, ',', '"', ''));
