<?php
// Null is declared for these parameters, but not taken.
set_error_handler(function ($level, $message) { echo "[$level] $message\n"; return true; });
foreach ([[null, null], ["UTF-8", null], ["UTF-8", "Q"]] as [$charset, $encoding]) {
    try { var_dump(mb_encode_mimeheader("caf\u{e9}", $charset, $encoding)); } catch (Error $e) { echo $e->getMessage(), "\n"; }
}
var_dump(mb_encode_mimeheader("caf\u{e9}"));
try { mb_encode_mimeheader("a", []); } catch (Error $e) { echo $e->getMessage(), "\n"; }
