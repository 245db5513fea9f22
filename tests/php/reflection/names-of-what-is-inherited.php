<?php
// The name of a settable type has its question mark; a method without a prototype is named after the class asked for;
// the methods of enums belong to the extension that the enum does.
class Base
{
    public ?int $number = null;
    public ?self $other { set(self|string|null $value) { } }
    protected ?array $list;
    function __construct() {}
    static function make(): static { return new static; }
}
class Derived extends Base {}
enum Suit: string { case Hearts = 'h'; function own() {} }

foreach (['number', 'other', 'list'] as $name) {
    $property = new ReflectionProperty('Derived', $name);
    $types = [$property->getType(), $property->getSettableType()];
    foreach ($types as $type) {
        echo $name, ': ', $type instanceof ReflectionNamedType ? $type->getName() : 'union', ' ', $type, "\n";
    }
}
foreach (['__construct', 'make'] as $name) {
    try {
        (new ReflectionMethod('Derived', $name))->getPrototype();
    } catch (ReflectionException $e) {
        echo $e->getMessage(), "\n";
    }
}
foreach (['Suit', 'RoundingMode', 'Random\IntervalBoundary'] as $enum) {
    foreach ((new ReflectionEnum($enum))->getMethods() as $method) {
        echo "$enum::$method->name ", json_encode($method->getExtensionName()), ' ', $method->getExtension()?->name ?? 'none', ' ', strtok((string) $method, "\n"), "\n";
    }
}
// Methods of a list know the class that they were asked of.
foreach ((new ReflectionClass('Derived'))->getMethods() as $method) {
    echo strtok((string) $method, "\n"), ' ', $method->class, "\n";
    try {
        $method->getPrototype();
    } catch (ReflectionException $e) {
        echo $e->getMessage(), "\n";
    }
}
echo strtok((string) (new ReflectionClass('Derived'))->getConstructor(), "\n"), "\n";
echo strtok((string) (new ReflectionClass('RecursiveArrayIterator'))->getMethods()[3], "\n"), "\n";
