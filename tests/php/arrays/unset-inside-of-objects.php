<?php
// unset() of an element's element asks an object for the element only, as a change inside of it would.
$object = new ArrayObject(['list' => [1, 2], 'deep' => ['a' => ['b' => 1]]]);
unset($object['missing']['x'], $object['missing']);
unset($object['list'][0], $object['list'][5], $object['deep']['a']['b'], $object['deep']['none']['b']);
var_dump($object->getArrayCopy());

class Offsets implements ArrayAccess
{
    function __construct(public $value = null) {}
    function offsetGet($offset): mixed { echo "get $offset\n"; return $this->value; }
    function offsetSet($offset, $value): void { echo "set $offset\n"; }
    function offsetExists($offset): bool { echo "exists $offset\n"; return true; }
    function offsetUnset($offset): void { echo "unset $offset\n"; }
}
foreach ([null, [1], 'text', 5, new Offsets] as $value) {
    $offsets = new Offsets($value);
    try {
        unset($offsets['one']['two'], $offsets['three']);
        unset($offsets['one']->two);
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
