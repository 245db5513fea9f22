<?php
// A static method runs for the class that it was looked up in, whatever object is given.
abstract class Base {
    public static function which() { return static::class; }
    protected static function hidden() { return static::class; }
    public static function made() { return static::make([1]); }
    abstract public static function make(array $list);
}
class Middle extends Base { public static function make(array $list) { return [static::class, $list]; } public static function made() { return [parent::made(), static::class]; } }
class Leaf extends Middle {}
foreach (['Base', 'Middle', 'Leaf'] as $name) {
    $class = new ReflectionClass($name);
    $method = new ReflectionMethod($name, 'which');
    echo json_encode([$method->invoke(null), $method->invokeArgs(null, []), $method->invoke(new Leaf), $class->getMethod('which')->invoke(null), $class->getMethod('hidden')->invoke(null)]), "\n";
    foreach ($class->getMethods() as $listed) {
        if ($listed->name === 'which') { echo $listed->class, ' ', $listed->invoke(null), ' ', $listed->getClosure()(), "\n"; }
    }
    if ($name !== 'Base') { echo json_encode($class->getMethod('made')->invoke(null)), "\n"; }
}
echo ReflectionMethod::createFromMethodName('Leaf::which')->invoke(null), "\n";
// Defaults are as their types say.
class Typed { const float RATE = 2; const ?float NONE = null; public float $x = 1; public static ?float $s = 6; public function __construct(public float $p = -7, float|string $either = 4, int|float $both = 3, float $folded = 1 + 1) {} }
var_dump(Typed::RATE, Typed::$s);
echo new ReflectionMethod('Typed', '__construct'), new ReflectionProperty('Typed', 'x');
function lists(array|Countable $a, callable|Closure $b, ?array $c, iterable $d) {}
foreach ((new ReflectionFunction('lists'))->getParameters() as $parameter) { echo @json_encode([$parameter->isArray(), $parameter->isCallable()]), "\n"; }
trait Counts { public static int $count = 5; }
var_dump((new ReflectionClass('Counts'))->getStaticProperties(), get_class_vars('Counts'));
