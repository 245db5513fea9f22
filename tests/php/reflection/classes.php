<?php
/** A shape. */
abstract class Shape implements Countable {
    public const int SIDES = 3;
    protected const UNITS = ['cm', 'in'];
    public static int $made = 0;
    protected ?string $label = null;
    private readonly float $area;
    public function __construct(private int|string $id = self::SIDES, string ...$tags) {}
    abstract public function area(float $scale = 1.5): float;
    final public static function make(array $options = ['a' => 1, 2], ?self $next = null): static { return new static; }
    public function count(): int { return 1; }
}
final class Square extends Shape {
    public function area(float $scale = 2.0): float { return 1.0; }
}
echo str_replace(__DIR__ . '/', '', new ReflectionClass('Shape') . new ReflectionClass('Square'));
$class = new ReflectionClass(Square::class);
var_dump($class->isFinal(), $class->isAbstract(), $class->isInstantiable(), $class->isSubclassOf('Shape'));
var_dump($class->implementsInterface('Countable'), $class->hasMethod('MAKE'), $class->hasProperty('id'));
var_dump(Reflection::getModifierNames($class->getParentClass()->getMethod('make')->getModifiers()));
var_dump($class->getConstants(), $class->getStaticPropertyValue('made'), $class->getShortName());
foreach ($class->getMethods() as $method) {
    echo $method->class, '::', $method->name, "\n";
}
try {
    new ReflectionClass('Missing');
} catch (ReflectionException $e) {
    echo $e->getMessage(), ' ', $e->getCode(), "\n";
}
try {
    $class->getMethod('missing');
} catch (ReflectionException $e) {
    echo $e->getMessage(), "\n";
}
var_dump($class->newInstanceArgs(['id' => 7]));
var_dump((new ReflectionProperty('Shape', 'id'))->getValue(new Square('x')));
