<?php
// What loops and destructuring are in the middle of when an exception leaves goes before the variables.
class Loud {
    function __construct(private $name) {}
    function __destruct() { echo $this->name, ' '; }
}
function fail() { throw new Exception('left'); }

function in_loop() {
    $first = new Loud('first');
    $second = new Loud('second');
    foreach ([[$first, 1], [$first, 2]] as [$object, $number]) {
        $object = null;
        foreach ([$first, new Loud('third')] as $inner) {
            $inner = null;
            fail();
        }
    }
}
function in_destructuring() {
    $first = new Loud('first');
    $second = new Loud('second');
    foreach ([[$first, 1]] as [[$a, $b], $c]) {
    }
}
function in_switch() {
    $second = new Loud('second');
    switch (new Loud('subject')) {
        case fail():
    }
}
function in_generator() {
    $first = new Loud('first');
    $second = new Loud('second');
    foreach ([$first] as $key => $value) {
        $value = null;
        yield 1;
        fail();
    }
}
foreach (['in_loop', 'in_destructuring', 'in_switch', fn() => iterator_to_array(in_generator())] as $function) {
    try {
        $function();
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
        unset($e);
    }
}
$generator = in_generator();
$generator->current();
unset($generator);
echo "end\n";
