<?php
//: exit 255
// A literal of constants with an array as a key is refused when it is compiled, whether it is ever made or not.
try {
    eval('$value = 1; echo "with a variable\n"; return [[1] => $value];');
} catch (TypeError) {
    echo "when it is made\n";
}
eval('echo "not reached\n"; function never() { return ["a" => 1, [2, 3] => "x"]; }');
