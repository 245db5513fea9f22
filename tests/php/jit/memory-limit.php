<?php
//: exit 255
//: one-request the limit ends the process
// Compiled loops that use the memory up end as interpreted ones do.
ini_set('memory_limit', '16M'); ini_set('display_errors', '0');
register_shutdown_function(function () { $kept = []; for ($i = 0; $i < 1000; $i++) { $kept[] = new stdClass; } echo count($kept), " more\n"; });
function fill() { $all = []; while (true) { $all[] = new stdClass; } }
fill();
