<?php
// A stream with filters cannot be waited for, nor can its file be handed on.
function select($read, $write, $microseconds = 0)
{
    try {
        $except = null;
        var_dump(stream_select($read, $write, $except, 0, $microseconds));
        echo 'left: ', json_encode([$read === null ? null : array_keys($read), $write === null ? null : array_keys($write)]), "\n";
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
$filtered = tmpfile();
stream_filter_append($filtered, 'string.rot13');
$plain = tmpfile();
select(['a' => $filtered], null);
select(null, ['a' => $filtered]);
select(['a' => $filtered], ['b' => $filtered, 'c' => $plain]);
stream_filter_append($plain, 'string.toupper', STREAM_FILTER_WRITE);
select([$plain], null);
var_dump(posix_isatty($plain), stream_isatty($plain), stream_set_blocking($plain, false));
try {
    var_dump(proc_open('cat', [$filtered, ['pipe', 'w']], $pipes));
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}

echo "-- microseconds beyond a second\n";
$plain = tmpfile();
select(null, [$plain], 10_000_000);
select(null, [$plain], 1_000_000);
[$one, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$start = microtime(true);
select([$one], null, 1_200_000);
$passed = microtime(true) - $start;
var_dump($passed > 1.1 && $passed < 5);

echo "-- temporary streams\n";
$temporary = fopen('php://temp', 'w+');
select([$temporary], [$temporary]);
select([fopen('php://memory', 'r')], null);
