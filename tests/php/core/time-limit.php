<?php
//: exit 255
// What a script sleeps does not count; a loop without a body, over an iterator that never ends, does.
set_time_limit(1);
usleep(1_200_000);
echo "still here\n";
register_shutdown_function(fn() => print "shutdown\n");
foreach (new InfiniteIterator(new ArrayIterator([1])) as $one) {
}
echo "not reached\n";
