<?php
// How far malformed text is read, and what happens on the way.
class W { public $x = 1; function __wakeup() { echo "  wakes\n"; } }
class U { function __unserialize(array $data): void { echo '  gets ', json_encode($data), "\n"; } }
class S implements Serializable
{
    function serialize() { return 'q'; }
    function __serialize(): array { return []; }
    function __unserialize(array $data): void {}
    function unserialize($text)
    {
        var_dump(unserialize(str_repeat('a:1:{i:0;', 6) . 'i:1;' . str_repeat('}', 6), ['max_depth' => 6]) !== false);
        var_dump(unserialize(str_repeat('a:1:{i:0;', 7) . 'i:1;' . str_repeat('}', 7), ['max_depth' => 6]));
    }
}
set_error_handler(function ($level, $text) {
    echo "  $text\n";
    return true;
});
$texts = [
    // The colon behind the letter.
    'a{2:{i:0;i:1;i:1;i:2;}', 'O48:"stdClass":0:{}', 'Eb3:"X:X";', 'a:2:{i:0;O:1:"W":0:{}i:1;r;2;}',
    // Counts: none, a sign, too large, more than can follow.
    'O:1:"U"::{s:1:"x";i:2;}', 'O:1:"U":+1:{s:1:"x";i:2;}', 'O:1:"U":-1:{s:1:"x";i:2;}', 'a:3:{i:0;i:1;',
    'O:9:"Exception":799999999999999999999999999997:0i:0;a:0:{}', 'a:99999999999999999999:{i:0;i:1;}',
    'C:1:"S":-5:{}', 'C:1:"S":18446744075857035259:{}', 'C:1:"S":0:{', 'C:1:"S"',
    // The brace at the end.
    'O:1:"U":1:{s:1:"x";i:2;', 'O:1:"W":0:{5}', 'a:1:{i:0;O:1:"W":0:{i:1;}',
    // An element in the place of another that has a number.
    'a:3:{i:0;i:7;i:0;i:8;i:1;R:2;}', 'a:2:{i:0;i:7;i:0;R:2;}', 'a:3:{i:0;a:1:{i:0;i:1;}i:0;i:5;i:1;R:2;}',
    'a:4:{i:0;i:7;i:1;R:2;i:0;i:8;i:2;R:2;}',
    // A limit of nesting that an inner call has for itself.
    'a:1:{i:0;a:1:{i:0;C:1:"S":0:{}}}',
];
foreach ($texts as $text) {
    echo $text, "\n";
    var_dump(@unserialize($text));
}
