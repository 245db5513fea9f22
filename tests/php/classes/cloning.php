<?php
// Shallow copies, __clone, references inside objects survive cloning.
class Deep
{
    public $list = [1];
    public function __construct(public object $inner) {}
    public function __clone() { $this->inner = clone $this->inner; }
}
$a = new Deep((object) ['v' => 1]);
$b = clone $a;
$b->inner->v = 2;
$b->list[] = 2;
echo $a->inner->v, $b->inner->v, count($a->list), count($b->list), "\n";
$o = new stdClass;
$o->value = 1;
$ref = &$o->value;
$copy = clone $o;
$copy->value = 'changed through reference';
echo $o->value, "\n";
class NoClone { private function __clone() {} }
foreach ([fn() => clone new NoClone, fn() => clone 5, fn() => clone (fn() => yield 1)()] as $f) {
    try {
        $f();
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
}
var_dump($a == clone $a, $a === $a, $a->inner <=> $b->inner);
