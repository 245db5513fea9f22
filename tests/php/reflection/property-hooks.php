<?php
class Temperature {
    public float $celsius = 20.0 {
        get => $this->celsius + 0.5;
        set(int|float $value) { $this->celsius = $value; }
    }
    public float $fahrenheit { get => $this->celsius * 2; }
    public private(set) int $reads = 0;
}
$object = new Temperature;
foreach ((new ReflectionClass($object))->getProperties() as $property) {
    echo $property, implode(' ', Reflection::getModifierNames($property->getModifiers())), "\n";
    var_dump($property->hasHooks(), $property->isVirtual(), array_keys($property->getHooks()));
    echo $property->getSettableType(), "\n";
}
$celsius = new ReflectionProperty($object, 'celsius');
var_dump($celsius->getValue($object), $celsius->getRawValue($object));
$celsius->setRawValue($object, 3);
var_dump($celsius->getRawValue($object), $celsius->getHook(PropertyHookType::Get)->name);
try {
    (new ReflectionProperty($object, 'fahrenheit'))->getRawValue($object);
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
