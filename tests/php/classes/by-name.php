<?php
// Methods, classes and properties whose names are values: what was found once is found again, in each scope its own.

class A {
    public $x = 'x';
    protected $y = 'y';
    private $z = 'z';
    public ?string $unset;
    public function shown($p) { return __METHOD__ . $p; }
    private function hidden() { return __METHOD__; }
    public static function still() { return static::class; }
    public function ask($object, $name) { return $object->$name(1); }
    public function read($object, $name) { return $object->$name; }
    public function has($object, $name) { return isset($object->$name) . isset($this->$name); }
    public function __toString() { return 'A'; }
    public $empty = null;
}
class B extends A {
    private $z = 'B';
    public function hidden() { return __METHOD__; }
    public function asks($object, $name) { return $object->$name(1); }
    public function reads($object, $name) { return $object->$name; }
}
class C extends B { public function __call($name, $args) { return "__call $name"; } public function __get($name) { return "__get $name"; } }
class One { private function __construct(public $v = 1) {} public static function make($class) { return new $class(2); } }
class Two { public function __construct(public $v = 1) {} }
class Three { public $v = 3; }
abstract class Four { }

function attempt(Closure $f) {
    try {
        return $f();
    } catch (Throwable $e) {
        return get_class($e) . ': ' . $e->getMessage();
    }
}
$names = ['shown', 'SHOWN', 'sho' . 'wn', 'hidden', 'still', 'missing', 'Hidden'];
foreach ([1, 2] as $round) {
    foreach ([new A, new B, new C] as $object) {
        foreach ($names as $name) {
            echo attempt(fn () => $object->$name(1)), ' | ', attempt(fn () => $object->ask($object, $name)), ' | ',
                attempt(fn () => $object instanceof B ? $object->asks($object, strrev(strrev($name))) : ''), "\n";
        }
        foreach (['x', 'y', 'z', 'unset', 'missing', 'empty'] as $name) {
            echo json_encode([isset($object->$name), $object->has($object, $name), isset($object->{"$name"})]), ' ';
            echo attempt(fn () => @$object->$name), ' | ', attempt(fn () => @$object->read($object, $name)), ' | ',
                attempt(fn () => $object instanceof B ? @$object->reads($object, $name) : ''), "\n";
        }
    }
    foreach (['One', 'Two', 'two', '\Two', 'Three', 'Four', 'Five', 'ArrayObject', 'Closure', 'Generator'] as $class) {
        echo attempt(fn () => get_class(new $class(...($class === 'ArrayObject' ? [] : [7])))), ' | ',
            attempt(fn () => One::make($class)::class), "\n";
    }
    $two = new Two(9);
    echo (new $two(5))->v, (new ('T' . 'wo')(6))->v, "\n";
    $number = 5;
    echo attempt(fn () => $nothing->$name()), " ", attempt(fn () => $two->$number()), " ", attempt(fn () => new $number), "\n";
}
$object = new A;
$name = 'x';
$other = &$name;
echo $object->$name, $object->$other, "\n";
$name = 'nothing';
echo $object->$name ?? 'none', "\n";
echo $object->$name, "\n";
