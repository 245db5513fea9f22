<?php
$r = getrusage(); var_dump(count($r), count(getrusage(1)), array_keys($r) === array_keys(getrusage(1)), $r["ru_maxrss"] > 0);
$p = proc_open(['sh','-c','kill -9 $$'], [], $pipes); var_dump(proc_close($p));
$p = proc_open(['sh','-c','exit 7'], [], $pipes); var_dump(proc_close($p));
$p = proc_open(['sh','-c','kill -TERM $$'], [], $pipes); var_dump(pclose(popen('kill -9 $$', 'r')), proc_close($p)); exec('kill -9 $$', $o, $rc); var_dump($rc); system('exit 3', $rc); var_dump($rc);
register_shutdown_function(function() { ob_start(function($b) { return strtoupper($b); }); echo "in shutdown\n"; });
register_shutdown_function(function() { echo "second "; ob_start(); echo "nested\n"; register_shutdown_function(function() { echo "late\n"; }); });
