<?php
// What `...` refuses, and which names overwrite earlier arguments.

function f($a = 0, $b = 0, ...$rest) { echo "$a $b ", json_encode($rest), "\n"; }
function r($a = null, &$b = null) { $b = "set"; }
function attempt(callable $f) {
    try {
        $f();
    } catch (Throwable $e) {
        echo get_class($e), ": ", $e->getMessage(), "\n";
    }
}
attempt(fn() => f(...null));
attempt(fn() => f(1, ...new stdClass));
attempt(fn($five = 5) => [...$five]);
attempt(fn() => f(...["a" => 1], ...["a" => 2]));
attempt(fn() => f(...[1, "b" => 2], b: 3));
attempt(fn() => f(...["b" => 2, 1]));
attempt(fn() => f(...new ArrayIterator(["b" => 2, 1])));
attempt(fn() => f(...[1], ...new ArrayIterator([2, "x" => 3]), y: 4));
attempt(fn() => call_user_func_array("f", ["b" => 1, 2]));
function keys() { yield 1 => 1; yield 1.5 => 2; echo "not reached\n"; }
attempt(fn() => f(...keys()));
$array = ["b" => 0];
$copy = $array;
r(...$array);
var_dump($array, $copy);
r(...new ArrayIterator(["b" => 0]));
foreach ([null, 1, 1.0, "text", true, [1], new stdClass] as $value) {
    attempt(fn() => match ($value) {});
}
enum Suit { case Hearts; }
attempt(fn() => match (Suit::Hearts) {});
