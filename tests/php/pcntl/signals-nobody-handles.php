<?php
//: exit 255
// Some signals cannot be handled, which ends a script that tries.
register_shutdown_function(function () {
    echo 'the end', "\n";
});
pcntl_signal(SIGKILL, SIG_IGN);
echo 'not reached';
