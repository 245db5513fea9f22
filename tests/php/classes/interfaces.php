<?php
// Constants, several parents, abstract classes and instanceof.
interface HasArea { const UNITS = 'm2'; public function area(): float; }
interface Named { public function name(): string; }
interface Shape extends HasArea, Named {}
abstract class Base implements Shape
{
    abstract protected function factor(): float;
    public function area(): float { return $this->factor() * 2; }
    public function name(): string { return static::class . ' in ' . self::UNITS; }
}
final class Square extends Base { protected function factor(): float { return 4.5; } }
$s = new Square;
echo $s->name(), $s->area(), Square::UNITS, "\n";
var_dump($s instanceof HasArea, $s instanceof Named, is_subclass_of($s, 'Base'), is_a('Square', 'Shape', true), class_implements($s));
$class = 'HasArea';
var_dump($s instanceof $class, 5 instanceof Base, null instanceof $class);
foreach ([fn() => new Base, fn() => new Shape, fn() => Base::none()] as $f) {
    try {
        $f();
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
}
