<?php
// What Serializable::unserialize reads itself is numbered with the rest.
#[AllowDynamicProperties]
class Wrap implements Serializable {
    public $data;
    function serialize() { return serialize($this->data); }
    function unserialize($data) { $this->data = unserialize($data); }
    function __wakeup() { echo "wakeup\n"; }
}
function show($value) {
    static $kept = [];
    $kept[] = $value;
    var_dump($value);
}
class Woken { public $x; function __wakeup() { echo "woken\n"; } }
$inner = 'a:2:{i:0;O:5:"Woken":1:{s:1:"x";i:5;}i:1;R:4;}';
show(unserialize('a:2:{i:0;C:4:"Wrap":' . strlen($inner) . ':{' . $inner . '}i:1;r:4;}'));
// A text that fails inside has nothing that can be named.
$inner = 'a:1:{i:0;O:5:"Woken":1:{s:1:"x";';
show(unserialize('a:2:{i:0;C:4:"Wrap":' . strlen($inner) . ':{' . $inner . '}i:1;R:4;}'));
// Depth counts through.
ini_set('unserialize_max_depth', 4);
$inner = 'a:1:{i:0;a:1:{i:0;a:1:{i:0;i:1;}}}';
show(unserialize('a:1:{i:0;a:1:{i:0;C:4:"Wrap":' . strlen($inner) . ':{' . $inner . '}}}'));
ini_set('unserialize_max_depth', 0);
foreach ([
    'C:11:"ArrayObject":34:{x:i:1;O:8:"stdClass":1:{};m:a:0:{}}',
    'C:16:"SplObjectStorage":25:{x:i:-9223372036854775808;}',
    'C:16:"SplObjectStorage":45:{x:i:1;O:8:"stdClass":0:{},r:2;;m:a:1:{i:0;i:2}}',
    'C:16:"SplObjectStorage":45:{x:i:1;O:8:"stdClass":0:{},r:2;;m:a:1:{i:0;i:2;}}',
    'C:19:"SplDoublyLinkedList":31:{i:0;:O:8:"stdClass":0:{}:r:2;:N}',
    'C:19:"SplDoublyLinkedList":30:{i:0;:O:8:"stdClass":0:{}:r:2;}',
] as $text) {
    try {
        show(unserialize($text));
    } catch (Exception $exception) {
        echo get_class($exception), ': ', $exception->getMessage(), "\n";
    }
}
$object = new stdClass;
$array = new ArrayObject([$object, $object]);
$storage = new SplObjectStorage;
$storage[$object] = $object;
$list = new SplDoublyLinkedList;
$list[] = $object;
$list[] = $object;
foreach ([$array, $storage, $list] as $value) {
    echo $text = $value->serialize(), "\n";
    $copy = new $value;
    $copy->unserialize($text);
    echo $copy->serialize() === $text ? "same\n" : "different\n";
}
