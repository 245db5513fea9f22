<?php
//: exit 255
//: one-request the limit ends the process
// What output buffers hold counts for memory_limit, and is given back.
$before = memory_get_usage();
ob_start();
for ($i = 0; $i < 20000; $i++) {
    echo "0123456789012345678901234567890123456789\n";
}
$held = memory_get_usage() - $before;
$length = ob_get_length();
ob_clean();
ob_end_clean();
echo $length, ' ', $held >= $length && $held < 2 * $length ? 'counted' : "not counted: $held", ' ',
    memory_get_usage() - $before < 50000 ? 'given back' : 'kept', "\n";

// When there is no more, all that buffers hold is lost.
ini_set('memory_limit', '8M');
ini_set('display_errors', '0');
register_shutdown_function(function () {
    echo strtok(error_get_last()['message'], '('), '- buffers: ', ob_get_level(), "\n";
});
ob_start();
ob_start(fn ($text) => $text);
while (true) {
    echo "0123456789012345678901234567890123456789\n";
}
