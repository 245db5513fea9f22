<?php
// Promotion, parent calls, destructors and their order.
class Base
{
    public function __construct(protected string $name = 'base') { echo "construct $name\n"; }
    public function __destruct() { echo "destruct $this->name\n"; }
}
class Child extends Base
{
    public function __construct(string $name, public readonly int $n = 3, private array $list = [1]) { parent::__construct("child $name"); }
    public function sum() { return array_sum($this->list) + $this->n; }
}
$a = new Base;
$b = new Child('b', list: [4, 5]);
echo $b->sum(), "\n";
$a = null;
function scope() { $local = new Base('local'); echo "in scope\n"; }
scope();
new Base('temporary');
$x = $y = new Base('shared');
unset($x);
echo "still there\n";
unset($y);
try {
    new Child;
} catch (ArgumentCountError $e) {
    echo get_class($e), "\n";
}
$c = [new Base('in array'), new Base('second')];
array_shift($c);
echo "end\n";
