<?php
set_error_handler(function ($level, $message) { echo "[$level] $message\n"; return true; });
var_dump(sha1_file("data:,abc"), md5_file("data:,abc"), md5_file("php://memory"));
var_dump(sha1_file(__DIR__), md5_file(__DIR__), sha1_file("nothing"), md5_file("nothing"));
foreach (["", "a\0b"] as $name) {
    try { md5_file($name); } catch (Error $e) { echo $e->getMessage(), "\n"; }
}
