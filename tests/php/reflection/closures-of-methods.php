<?php
// Closures of methods, of __call, and the method __invoke that every closure has, as Reflection shows them.
class Invokable { public function __invoke(int $a, $b = null, ...$rest): ?int { return $a; } private function hidden(&$x) {} }
class Magic {
    public function __call($name, $arguments) { return $name; }
    public static function __callStatic($name, $arguments) { return $name . count($arguments); }
}
$closures = [
    'of object' => (new Invokable)(...),
    'of method' => Closure::fromCallable([new Invokable, '__invoke']),
    'magic' => (new Magic)->any(...),
    'magic from callable' => Closure::fromCallable([new Magic, 'any']),
    'static magic' => Magic::some(...),
    'static magic from callable' => Closure::fromCallable('Magic::some'),
    'own' => function (array $list = [1], string $name = self::class): string { static $calls = 0; return ''; },
    'builtin' => str_repeat(...),
    'builtin method' => (new ArrayObject)->offsetExists(...),
];
foreach ($closures as $what => $closure) {
    echo "== $what\n", $function = new ReflectionFunction($closure);
    echo $method = new ReflectionMethod($closure, '__invoke');
    echo json_encode([$method->class, $method->isInternal(), $method->getFileName(), $method->isStatic(), $method->isClosure(), $function->isClosure(), $method->getModifiers()]), "\n";
    foreach ($function->getParameters() as $parameter) {
        $declaring = $parameter->getDeclaringFunction();
        echo $parameter->name, ' ', get_class($declaring), ' ', $declaring->name, ' ';
        echo json_encode([$parameter->isOptional(), $parameter->isDefaultValueAvailable(), $parameter->isDefaultValueAvailable() && $parameter->isDefaultValueConstant()]), "\n";
    }
    foreach ($method->getParameters() as $parameter) {
        try { var_dump($parameter->getDefaultValue()); } catch (ReflectionException $e) { echo $e->getMessage(), "\n"; }
    }
}
var_dump($closures['magic'], $closures['magic from callable']);
echo $closures['magic'](1, 2), $closures['static magic'](1, 2), (new ReflectionFunction($closures['static magic from callable']))->invoke(1), "\n";
$invoke = new ReflectionMethod(fn () => 'first', '__invoke');
echo $invoke->invoke(fn () => 'second'), "\n";
try { $invoke->invoke(null); } catch (ReflectionException $e) { echo $e->getMessage(), "\n"; }
try { $invoke->invoke(new Magic); } catch (ReflectionException $e) { echo $e->getMessage(), "\n"; }
var_dump((new ReflectionClass('Closure'))->getMethod('__invoke')->class, count((new ReflectionClass('Closure'))->getMethods()));
