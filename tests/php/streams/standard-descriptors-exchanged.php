<?php
//: one-request closes the standard output
// A daemon closes its standard streams and opens others, which get their descriptors: the output goes there, also that of processes.
$report = fopen('php://stdout', 'w');
$folder = sys_get_temp_dir() . '/standard-descriptors-' . getmypid();
mkdir($folder);
fwrite(STDOUT, "to the first output\n");
echo "so does this\n";

fclose(STDIN);
fclose(STDOUT);
$in = fopen('/dev/null', 'r');
$out = fopen("$folder/out", 'w');
echo "by echo\n";
fwrite($out, "by the stream\n");
fwrite(fopen('php://stdout', 'w'), "by its name\n");
echo system('echo by a shell'), "\n";
$process = proc_open('echo by a process', [], $pipes);
proc_close($process);
fwrite($report, file_get_contents("$folder/out"));
var_dump(is_resource(STDOUT), gettype(STDOUT));

fclose($out);
ignore_user_abort(true);
echo "nobody gets this\n";
fwrite($report, 'aborted: ' . connection_aborted() . ', ' . connection_status() . "\n");
fwrite($report, var_export(@fopen('php://stdout', 'w'), true) . "\n");
unlink("$folder/out");
rmdir($folder);
exit(0);
