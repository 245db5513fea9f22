<?php
// What is no object of the class is refused with the class's name.
class Kind
{
    public $property;
}

$reflection = new ReflectionClass('Kind');
$property = new ReflectionProperty('Kind', 'property');
$attempts = [
    fn($value) => $reflection->resetAsLazyGhost($value, fn() => 1),
    fn($value) => $reflection->resetAsLazyProxy($value, fn() => 1),
    fn($value) => $reflection->initializeLazyObject($value),
    fn($value) => $reflection->isUninitializedLazyObject($value),
    fn($value) => $reflection->markLazyObjectAsInitialized($value),
    fn($value) => $reflection->getLazyInitializer($value),
    fn($value) => $property->isLazy($value),
    fn($value) => $property->skipLazyInitialization($value),
    fn($value) => $property->setRawValueWithoutLazyInitialization($value, 1),
];
foreach ($attempts as $attempt) {
    foreach ([1, null, 'text', new stdClass()] as $value) {
        try {
            $attempt($value);
        } catch (TypeError $error) {
            echo $error->getMessage(), "\n";
        }
    }
}
