<?php
// Texts in messages end before a NUL byte; a period's properties are never enough to wake it.
set_error_handler(function ($level, $message) { echo "[$level] $message\n"; return true; });
var_dump(date_interval_create_from_date_string("a\0b"));
$period = new DatePeriod(new DateTime('2024-01-01'), new DateInterval('P1D'), 3);
try { $period->__wakeup(); } catch (Error $e) { echo $e->getMessage(), "\n"; }
