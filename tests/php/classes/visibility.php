<?php
// Private members belong to the class that declares them.
class A
{
    private $p = 'A private';
    protected $q = 'A protected';
    private function m() { return 'A::m'; }
    public function call() { return $this->m() . ' ' . $this->p; }
    public function peek(A $other) { return $other->p; }
}
class B extends A
{
    private $p = 'B private';
    private function m() { return 'B::m'; }
    public function callB() { return $this->m() . ' ' . $this->p . ' ' . $this->q; }
}
$b = new B;
echo $b->call(), "\n", $b->callB(), "\n", (new A)->peek($b), "\n";
foreach ([fn() => $b->p, fn() => $b->q, fn() => $b->m(), fn() => B::none(), fn() => $b->none(), fn() => B::$none, fn() => B::NONE] as $f) {
    try {
        $f();
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
}
var_dump(method_exists($b, 'm'), is_callable([$b, 'm']), property_exists('B', 'q'));
foreach ($b as $k => $v) {
    echo $k;
}
