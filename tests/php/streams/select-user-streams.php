<?php
// Which file a class's stream waits for, stream_cast says.
class Base {
    public $context;
    public $answer;
    function stream_open($path, $mode, $options, &$opened) { return true; }
    function stream_eof() { return false; }
}
class Cast extends Base {
    function stream_cast(int $as) { echo "cast for $as\n"; return $this->answer; }
}
stream_wrapper_register('base', 'Base');
stream_wrapper_register('cast', 'Cast');
function select($stream, $answer) {
    $object = stream_get_meta_data($stream)['wrapper_data'] ?? null;
    if ($object) {
        $object->answer = $answer;
    }
    $read = ['k' => $stream];
    $write = $except = null;
    try {
        var_dump(stream_select($read, $write, $except, 0) !== false, count($read));
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
[$one, $two] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
fwrite($two, 'x');
$cast = fopen('cast://', 'r');
select($cast, $one);
select($cast, false);
select($cast, 'text');
select($cast, $cast);
select($cast, fopen('base://', 'r'));
select(fopen('base://', 'r'), null);
select(fopen('php://memory', 'r'), null);
