<?php
// Texts count with the NUL behind them when they are decompressed; a handler that is a function tells no headers.
function show(string|false $text): void
{
    echo json_encode($text), "\n";
}
show(gzdecode(substr(gzencode('hello'), 0, -1)));
show(@gzdecode(substr(gzencode('hello'), 0, -2)));
show(gzinflate(substr(gzdeflate('a'), 0, -1)));
show(gzinflate("\x03"));
show(@gzinflate(''));
show(@gzuncompress(substr(gzcompress('a'), 0, -1)));
show(zlib_decode("\x03"));
show(ob_gzhandler('text', PHP_OUTPUT_HANDLER_START));

$stream = fopen('php://memory', 'w+');
stream_filter_append($stream, 'zlib.deflate', STREAM_FILTER_WRITE, ['level' => 99, 'window' => 99, 'memory' => 99]);
