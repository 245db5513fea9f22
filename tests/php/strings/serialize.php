<?php
// serialize and unserialize: values, references, hooks, malformed text.
class Plain
{
    public $a = 1;
    protected $b = [1.5, true];
    private $c;
}
class Magic
{
    public function __construct(public array $data = [])
    {
    }

    public function __serialize(): array
    {
        return ['saved' => $this->data];
    }

    public function __unserialize(array $data): void
    {
        $this->data = ['restored' => $data];
    }
}
class Sleeper
{
    public $kept = 1;
    public $dropped = 2;

    public function __sleep()
    {
        return ['kept', 'missing'];
    }

    public function __wakeup()
    {
        echo "awake\n";
    }
}
enum Suit: string
{
    case Hearts = 'H';
}
$shared = new stdClass;
$shared->self = $shared;
$array = [1, 2];
$array[] = &$array[0];
foreach ([null, true, 5, 0.1, 1e100, "a\0b", [1, 'k' => [2]], new Plain, new Magic([1]), new Sleeper, Suit::Hearts, $shared, $array] as $value) {
    $text = serialize($value);
    echo str_replace("\0", '~', $text), "\n";
    var_dump(unserialize($text));
}
foreach (['', 'x', 'i:5', 'a:1:{i:0;', 's:5:"abc";', 'O:7:"Unknown":1:{s:1:"a";i:1;}', 'i:1;i:2;', 'E:8:"Suit:Foo";', 'a:1:{a:0:{}i:1;}'] as $text) {
    echo $text, "\n";
    var_dump(unserialize($text));
}
var_dump(unserialize('O:5:"Plain":0:{}', ['allowed_classes' => false]));
