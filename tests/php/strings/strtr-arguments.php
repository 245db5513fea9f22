<?php
// What strtr() takes is another thing with two arguments and with three.
foreach ([5, null, 1.5, true, 'x', new ArrayObject, ['a' => 'b']] as $from) {
    foreach ([fn() => strtr('abc5', $from), fn() => ('strtr')('abc5', $from), fn() => strtr('abc5', $from, 'z'), fn() => strtr('', $from)] as $call) {
        try {
            var_dump($call());
        } catch (TypeError $e) {
            echo $e->getMessage(), "\n";
        }
    }
}
class Text { function __toString() { return 'ab'; } }
var_dump(strtr('abc', new Text, 'xy'), strtr('abc5', 5, 6));
