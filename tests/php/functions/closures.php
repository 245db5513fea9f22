<?php
// Captures by value and reference, binding, static closures and scope.
$x = 1;
$byValue = function () use ($x) { return ++$x; };
$byRef = function () use (&$x) { return ++$x; };
echo $byValue(), $byValue(), $byRef(), $byRef(), $x, "\n";
$arrow = fn($y) => fn($z) => $x + $y + $z;
echo $arrow(10)(100), "\n";
class Counter
{
    private $count = 0;
    public function incrementer() { return function ($by = 1) { return $this->count += $by; }; }
    public static function make() { return static fn() => isset($this) ? 'bound' : 'unbound'; }
}
$c = new Counter;
$inc = $c->incrementer();
echo $inc(), $inc(5), Counter::make()(), "\n";
$peek = fn() => $this->count;
echo Closure::bind($peek, $c, Counter::class)(), $peek->call($c), $peek->bindTo($c, $c)(), "\n";
$unbound = function () { return get_class($this); };
echo $unbound->bindTo(new ArrayObject)(), "\n";
$compose = fn(callable ...$fs) => fn($x) => array_reduce($fs, fn($acc, $f) => $f($acc), $x);
echo $compose('trim', strrev(...), fn($s) => "$s!")(' abc '), "\n";
$recursive = function ($n) use (&$recursive) { return $n <= 1 ? 1 : $n * $recursive($n - 1); };
echo $recursive(6), "\n";
echo implode(',', array_map(fn($p, $q) => $p . $q, ['a', 'b'], ['c', 'd'])), "\n";
var_dump((fn() => yield 1)() instanceof Generator, $arrow instanceof Closure);
