<?php
interface A {}
interface B {}
function f(int $a, ?string $b, int|A|null $c, A&B $d, iterable $e, (A&B)|false $g, mixed $h, ?B $i) {}
function show(ReflectionType $type, string $indent = ''): void {
    echo $indent, get_class($type), ' ', $type, $type->allowsNull() ? ' null' : '', "\n";
    if ($type instanceof ReflectionNamedType) {
        echo $indent, '  ', $type->getName(), $type->isBuiltin() ? ' builtin' : '', "\n";
        return;
    }
    foreach ($type->getTypes() as $part) {
        show($part, $indent . '  ');
    }
}
foreach ((new ReflectionFunction('f'))->getParameters() as $parameter) {
    show($parameter->getType());
}
enum Suit: string {
    case Hearts = 'H';
    case Spades = 'S';
    const Wild = self::Spades;
}
$enum = new ReflectionEnum(Suit::class);
var_dump($enum->isBacked(), (string) $enum->getBackingType(), $enum->hasCase('Wild'), $enum->isFinal());
foreach ($enum->getCases() as $case) {
    var_dump($case->name, $case->getBackingValue(), $case->getValue());
}
foreach (['Wild', 'Clubs'] as $name) {
    try {
        $enum->getCase($name);
    } catch (ReflectionException $e) {
        echo $e->getMessage(), "\n";
    }
}
