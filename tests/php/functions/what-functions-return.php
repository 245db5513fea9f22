<?php
// What functions return: variables that are references, objects of many classes where a type is declared, static and global variables.

interface Shape { }
class A implements Shape { }
class B implements Shape { }
class C implements Shape { }
class D extends C { }
function shape(Shape $shape): Shape { return $shape; }
function maybe(?object $shape): ?Shape { return $shape; }
function made(string $class): Shape { return new $class; }
class Factory
{
    public static function late(object $object): static { return $object; }
    public function itself(): self { foreach ([1] as $one) { return $this; } }
    public function looped(object $object): Shape { foreach ([1, 2] as $one) { if ($one === 2) { return $object; } } }
}
class Sub extends Factory { }
foreach ([1, 2, 3] as $round) {
    foreach ([new A, new B, new C, new D, new stdClass, null] as $object) {
        try {
            echo $object === null ? '-' : shape($object)::class, ' ';
            echo get_debug_type(maybe($object)), ' ';
            echo $object === null ? '-' : made($object::class)::class, ' ';
            echo (new Factory)->looped($object ?? new B)::class, "\n";
        } catch (TypeError $error) {
            echo preg_replace('/, called in.*/', '', $error->getMessage()), "\n";
        }
        try {
            echo get_debug_type(maybe($object)), "\n";
        } catch (TypeError $error) {
            echo $error->getMessage(), "\n";
        }
    }
    foreach ([new Factory, new Sub] as $object) {
        foreach (['Factory', 'Sub'] as $class) {
            try {
                echo $class::late($object)::class, ' ', $object->itself()::class, "\n";
            } catch (TypeError $error) {
                echo $error->getMessage(), "\n";
            }
        }
    }
}
class Loud
{
    public function __construct(public string $name) {}
    public function __destruct() { echo "$this->name gone\n"; }
}
function counted() { static $count = 0; $count++; return $count; }
function strict(): int { static $value = 'text'; $old = $value; $value = '17'; return $value; }
function shared() { global $given; return $given; }
function made_reference() { $value = new Loud('local'); $other = &$value; return $value; }
function of_array() { $list = [1, new Loud('element')]; foreach ($list as &$item) { } return $item; }
function given_back(array &$list) { $list[] = count($list); return $list; }
function &by_reference(array &$list) { return $list; }
function unset_one() { global $never; unset($GLOBALS['never']); return $never; }
function undefined() { $reference = &$value; unset($value); return $reference; }
function typed_reference(object $object): string { $number = &$object->number; return $number; }
function looped() { static $all = []; foreach ([1, 2] as $one) { $all[] = $one; if ($one === 2) { return $all; } } }
function once() { static $loud; $loud ??= new Loud('static'); return $loud; }
for ($i = 0; $i < 3; $i++) {
    echo counted(), ' ';
    echo strict(), ' ';
    $given = "given $i";
    echo shared(), ' ', json_encode(looped()), "\n";
    made_reference();
    echo made_reference()->name, "\n";
    $kept = of_array();
    echo $kept->name, "\n";
    unset($kept);
    $list = [7];
    given_back($list);
    $copy = given_back($list);
    $copy[] = 'copy';
    $alias = &by_reference($list);
    $alias[] = 'alias';
    echo json_encode([$list, $copy]), "\n";
    var_dump(unset_one(), undefined());
    $object = new class { public int $number = 5; };
    echo typed_reference($object), json_encode($object), "\n";
    echo once()->name, "\n";
}
$closure = function () { static $calls = 10; return $calls++; };
$other = clone $closure;
echo $closure(), $closure(), $other(), $closure(), "\n";
class Counting
{
    public function next() { static $next = 1; return $next++; }
}
class Further extends Counting { }
echo (new Counting)->next(), (new Further)->next(), (new Counting)->next(), (new Further)->next(), "\n";
function again() { static $same = 1; static $more = [1]; if ($same++ < 3) { return again(); } return [$same, &$more]; }
echo json_encode(again()), "\n";
echo "end\n";
