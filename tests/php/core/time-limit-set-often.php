<?php
// Loops that ask for more time again and again do not leave a thread behind each time.
for ($i = 0; $i < 20000; $i++) {
    set_time_limit(30 + $i % 7);
}
var_dump(count(scandir('/proc/self/task')) < 20);
set_time_limit(PHP_INT_MAX);
ini_set('hard_timeout', '9223372036854775807');
set_time_limit(1);
set_time_limit(0);
echo "end\n";
