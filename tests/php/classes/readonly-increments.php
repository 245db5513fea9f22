<?php
// Readonly properties that hold numbers are not incremented in place.
class Foo
{
    public function __construct(public readonly int $bar) {}
    function pre() { ++$this->bar; }
    function post() { $this->bar++; }
    function other() { $other = clone $this; $other->bar--; }
    function add() { $this->bar += 1; }
}
$foo = new Foo(1);
foreach (['pre', 'post', 'other', 'add'] as $method) {
    for ($i = 0; $i < 3; $i++) {
        try {
            $foo->$method();
            echo "no error\n";
        } catch (Error $e) {
            echo $e->getMessage(), "\n";
        }
    }
}
echo $foo->bar, "\n";
