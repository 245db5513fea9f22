<?php
// Nested buffers, callbacks, levels and status.
ob_start();
echo 'inner';
$x = ob_get_clean();
echo strtoupper($x), ob_get_level(), "\n";
ob_start(fn($b) => "[$b]");
echo 'a';
ob_flush();
echo 'b';
ob_end_flush();
echo "\n";
ob_start();
echo 'outer ';
ob_start();
echo 'thrown away';
ob_end_clean();
echo ob_get_level(), ob_get_length();
ob_end_flush();
echo "\n";
ob_start(function ($buffer, $phase) { return $phase & PHP_OUTPUT_HANDLER_END ? strrev($buffer) : $buffer; });
echo 'abc';
ob_end_flush();
echo "\n";
var_dump(ob_get_contents(), @ob_end_clean(), ob_get_status());
ob_start();
print 'print returns ' . print '';
printf(' %s', ob_get_contents() === '' ? 'empty' : 'filled');
echo ob_get_flush() !== '' ? " flushed\n" : '';
ob_start(null, 4);
echo 'chunk', 'ed', "\n";
ob_end_flush();
function implicit() { ob_start(); echo 'left open'; }
implicit();
