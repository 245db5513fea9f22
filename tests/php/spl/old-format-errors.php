<?php
// Where the old serialised formats are found to be wrong.

$texts = [
    'ArrayObject' => ['x', 'x:', 'x:i', 'x:i:0', 'x:i:0;', 'x:i:0;m', 'x:i:0;a:0:{}', 'x:i:0;a:0:{};', 'x:i:0;a:0:{};m', 'x:i:0;a:0:{};m:',
        'x:i:0;a:0:{};m:a', 'y:i:0;', 'x:s:1:"a";', 'x:i:0;i:5;;m:a:0:{}', 'xx', 'x;i:0'],
    'SplObjectStorage' => ['x', 'x:', 'x:i', 'x:i:0', 'x:i:0;', 'x:i:0;m:a:0:{}', 'x:i:1;O:8:"stdClass":0:{}', 'x:i:1;i:5;;m:a:0:{}',
        'x:i:-1;m:a:0:{}', 'x:i:2;O:8:"stdClass":0:{};m:a:0:{}', 'x:s:0:"";', 'y'],
    'SplDoublyLinkedList' => ['x', 'i', 'i:0', 'i:0;', 'i:0;:', 'i:0;:i:1;', 'i:0;i:1;', 'i:0;:x', 's:0:"";', 'i:0;:i:1;x'],
];
foreach ($texts as $class => $list) {
    foreach ($list as $text) {
        echo "$class $text: ";
        try {
            (new $class)->unserialize($text);
            echo "read\n";
        } catch (UnexpectedValueException $e) {
            echo $e->getMessage(), "\n";
        }
    }
}
try {
    new SplFileObject('');
} catch (ValueError $e) {
    echo $e->getMessage(), "\n";
}
