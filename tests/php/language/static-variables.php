<?php
// Static variables keep their value per function, method, class and closure.
function counter()
{
    static $n = 0, $start = 10 + 5;
    return ++$n + $start;
}
echo counter(), counter(), counter(), "\n";
class A
{
    public static function next() { static $n = 0; return static::class . ++$n; }
}
class B extends A {}
echo A::next(), A::next(), B::next(), B::next(), "\n";
function dynamic($x)
{
    static $cache = strtoupper('init') . PHP_INT_SIZE;
    static $list = [];
    $list[] = $x;
    return $cache . count($list);
}
echo dynamic(1), dynamic(2), "\n";
$closure = function () { static $n = 0; return ++$n; };
$copy = clone $closure;
echo $closure(), $closure(), $copy(), "\n";
function fact($n)
{
    static $depth = 0;
    $depth++;
    $result = $n < 2 ? 1 : $n * fact($n - 1);
    return $n === 5 ? "$result at depth $depth" : $result;
}
echo fact(5), "\n";
