<?php
// Methods of builtin classes whose parameters have types that PHP checks by hand: a subclass may repeat them, no other types.
class Sorted extends ArrayObject {
    public function uasort(callable $callback): true { echo __FUNCTION__, "\n"; return parent::uasort($callback); }
    public function uksort(callable $by): true { return parent::uksort($by); }
}
class Walked extends ArrayIterator {
    public function uasort(callable $callback): true { return true; }
}
class Property extends ReflectionProperty {
    public function setRawValueWithoutLazyInitialization(object $object, mixed $value): void {}
    public function isLazy(object $object): bool { return false; }
}
class Shape extends ReflectionClass {
    public function newLazyGhost(callable $initializer, int $options = 0): object { return new stdClass; }
    public function isInstance(object $object): bool { return true; }
    public function getStaticPropertyValue(string $name, mixed $default = null): mixed { return 1; }
}
class Filter extends CallbackFilterIterator {
    public function __construct(Iterator $iterator, callable $callback) {}
}
class Nodes extends DOMDocument {
    public function contains(DOMNode|DOMNameSpaceNode|null $other): bool { return true; }
    public function append(...$nodes): void {}
}
class Wider extends ArrayObject {
    public function uasort($callback): true { return true; }
    public function offsetGet(mixed $key, int $more = 0): mixed { return 1; }
}
$a = new Sorted([3, 1, 2]);
$a->uasort(fn ($x, $y) => $x <=> $y);
echo json_encode($a->getArrayCopy()), "\n";
foreach ([[Sorted::class, 'uasort'], [ArrayObject::class, 'uasort'], [SplFileInfo::class, 'setFileClass'], [SplFileObject::class, 'fgetcsv']] as [$class, $method]) {
    echo (new ReflectionMethod($class, $method))->getParameters()[0], "\n";
}
echo (new ReflectionProperty(Property::class, 'name'))->getName(), "\n";
