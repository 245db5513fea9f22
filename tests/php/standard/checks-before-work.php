<?php
// What is wrong with any argument is said before what is wrong with its value.
set_error_handler(function ($level, $message) { echo "[$level] $message\n"; return true; });
function attempt(callable $f) {
    try { var_dump($f()); } catch (Error $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; }
}
attempt(fn() => file("nothing", 100, "no context"));
attempt(fn() => file("nothing", 100));
attempt(fn() => new SplFileObject("", "r", false, []));
attempt(fn() => new SplFileObject("nothing", "zz", false, 1));
attempt(fn() => parse_ini_file("a\0b"));
attempt(fn() => class_alias("a\0b", "c"));
foreach ([1, "a", null, [], new stdClass] as $value) {
    attempt(fn() => stream_bucket_new($value, "x"));
}
$info = 5;
try { getimagesize("", $info); } catch (Error $e) { echo $e->getMessage(), "\n"; }
var_dump($info);
// Text and array in the arguments are not converted if there are too few.
foreach ([["f", new stdClass, 1], ["ff", 1.5], ["NN", [], 1], ["Z*", []], ["x*N", 1], ["Ha", "zz"], ["q2a", "7"], ["aN*y", "a", 1], ["nvc*", 1, 2, 3, 4]] as $arguments) {
    attempt(fn() => bin2hex(pack(...$arguments)));
}
