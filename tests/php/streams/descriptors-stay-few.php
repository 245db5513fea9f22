<?php
// A process needs a larger table for a descriptor from 64 on, which takes the system long where there are threads.
$before = array_map('intval', scandir('/proc/self/fd'));
echo max($before) < 64 ? 'few' : 'many ' . max($before), "\n";
fwrite(STDOUT, "written\n");
fclose(STDOUT);
echo "still there\n";
