<?php
//: ini display_startup_errors=0
//: ini precision=1x
//: ini date.timezone=Nowhere/City
//: ini output_handler=nobody
// What is wrong with the configuration goes to the log, and is the last error nevertheless.
echo json_encode([ini_get('precision'), ini_get('date.timezone'), error_get_last()]), "\n";
echo $undefined;
