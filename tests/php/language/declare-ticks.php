<?php
// Functions registered for ticks run after each statement.
declare(ticks=1);
$log = [];
register_tick_function(function () use (&$log) {
    $log[] = count($log);
});
$a = 1;
$b = 2;
if ($a) {
    $c = 3;
}
echo count($log) > 3 ? "ticked\n" : "not enough\n";
