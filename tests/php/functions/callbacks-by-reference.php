<?php
// Callbacks with by-reference parameters, references in lists of arguments, functions that must be called by name.
namespace App;

function inc(&$x) { $x++; return $x; }
class Proxy { function __call($name, $args) { \call_user_func_array("App\\inc", $args); } }
set_error_handler(function ($level, $text) { echo "[$text]\n"; });
$n = 1;
echo \call_user_func("App\\inc", $n), call_user_func("App\\inc", $n), "$n\n";
echo \call_user_func_array("App\\inc", [$n]), \call_user_func_array("App\\inc", ["x" => $n]), "$n\n";
$list = [&$n];
\call_user_func_array([new Proxy, "any"], $list);
call_user_func_array([new Proxy, "any"], [&$n]);
echo "$n\n";
array_map("App\\inc", [1]);
foreach (["extract", "compact"] as $name) {
    try {
        \call_user_func($name, []);
    } catch (\Throwable $e) {
        echo get_class($e), ": ", $e->getMessage(), "\n";
    }
}
class Register { static function run() { register_shutdown_function([new Register, "late"]); } private function late() { echo "late\n"; } }
Register::run();
class Magic { private function hidden() {} static function __callStatic($n, $a) { return "static $n"; } }
var_dump(is_callable([new Magic, "hidden"]), is_callable(["App\\Magic", "hidden"]));
$name = "a\0b";
var_dump(Magic::$name());
