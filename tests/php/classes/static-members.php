<?php
// Static properties are shared down the tree unless declared again; late static binding.
class A
{
    public static $shared = 1;
    public static $own = 'A';
    public static array $list = [];
    public static function create(): static { return new static; }
    public static function name() { return static::class; }
    public function viaThis() { return [static::name(), self::name(), $this::class]; }
    public static function add($x) { static::$list[] = $x; return count(self::$list); }
}
class B extends A
{
    public static $own = 'B';
    public static function test() { return [parent::name(), self::name(), A::name(), forward_static_call(['A', 'name'])]; }
}
A::$shared++;
B::$shared++;
echo A::$shared, A::$own, B::$own, get_class(B::create()), "\n";
echo implode(',', (new B)->viaThis()), ' ', implode(',', B::test()), "\n";
echo A::add(1), B::add(2), "\n";
$ref = &B::$shared;
$ref = 'r';
echo A::$shared, "\n";
$o = new B;
echo $o::$own, $o::name(), "\n";
try {
    echo A::$missing;
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
