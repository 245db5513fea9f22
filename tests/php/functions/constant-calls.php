<?php
// Functions that return a literal at once: calls of them are not made, but what their arguments say is said.
function nothing($a) { }
function one($a, $b = 2) { return 1; }
function text() { return "text"; }
function &reference() { return $GLOBALS['x']; }
function typed(int $a) { }
function takes(&$a) { }
#[Deprecated("use nothing()")]
function old() { return 3; }

function run() {
    nothing("literal");
    nothing($undefined);
    var_dump(nothing(1), one(1, 2, 3), one(1), text(), later(), old());
    $i = one($j, 2) + one(1, 2);
    var_dump($i);
    takes($made);
    var_dump($made);
    echo one("a", [1]) ? "yes" : "no", "\n";
    try {
        one();
    } catch (ArgumentCountError $error) {
        echo $error->getMessage(), "\n";
    }
    try {
        typed("x");
    } catch (TypeError $error) {
        echo get_class($error), "\n";
    }
    nothing(new class { function __destruct() { echo "destroyed\n"; } });
    nothing(print("printed\n"));
    $object = new class { function __destruct() { echo "gone\n"; } };
    nothing($object);
    unset($object);
    echo "end\n";
}
function later() { return -0.0; }
run();
if (true) {
    function conditional() { return true; }
}
function calls_conditional() { return conditional(); }
var_dump(calls_conditional());
