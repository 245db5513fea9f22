<?php
// Blanks and comments are no statement, and what is no UTF-8 stays as it is in messages.
set_error_handler(function ($level, $message) { echo "[$level] ", strlen($message), " $message\n"; return true; });
foreach ([["/nonexistent/x"], [":memory:", 0], ["/tmp", 6]] as $arguments) {
    try { new SQLite3(...$arguments); } catch (Exception $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; }
}
$database = new SQLite3(':memory:');
var_dump($database->query(""), $database->query(" "), $database->query("-- c"), $database->exec(" "));
var_dump($database->querySingle(""), $database->querySingle("/* c */"));
var_dump($database->query("\xff"), bin2hex($database->lastErrorMsg()));
