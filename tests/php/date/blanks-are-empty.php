<?php
set_error_handler(function ($level, $message) { echo "[$level] $message\n"; return true; });
foreach (["", " ", "\n", "\t\n ", " now"] as $text) {
    $parsed = date_parse($text);
    echo json_encode([$text, $parsed['errors'], $parsed['warnings'], strtotime($text) === false]), "\n";
    try { new DateTime($text); echo "a date\n"; } catch (Exception $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; }
}
var_dump(date_interval_create_from_date_string("a\0b"));
$period = new DatePeriod(new DateTime('2024-01-01'), new DateInterval('P1D'), 3);
try { $period->__wakeup(); } catch (Error $e) { echo $e->getMessage(), "\n"; }
