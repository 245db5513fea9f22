<?php
namespace App;

const LIMIT = 10;
/** Adds. */
function add(int $a, ?int &$b = null, Box|array|null $c = null, $d = LIMIT, ...$rest): ?int {
    static $calls = 5;
    return $a;
}
$add = new \ReflectionFunction('App\add');
var_dump($add->getDocComment(), $add->getNamespaceName(), $add->getShortName(), $add->getStaticVariables());
var_dump($add->getNumberOfParameters(), $add->getNumberOfRequiredParameters(), (string) $add->getReturnType());
foreach ($add->getParameters() as $parameter) {
    echo $parameter->getPosition(), ' ', $parameter->getName(), ' ', $parameter->getType() ?? '-';
    echo $parameter->isOptional() ? ' optional' : '', $parameter->isPassedByReference() ? ' reference' : '';
    echo $parameter->isVariadic() ? ' variadic' : '', $parameter->allowsNull() ? ' null' : '', "\n";
}
$last = new \ReflectionParameter('App\add', 'd');
var_dump($last->isDefaultValueConstant(), $last->getDefaultValue());
var_dump($add->invoke(3), $add->invokeArgs(['a' => 4]));
$x = 1;
$closure = function (string $s) use ($x): string { return $s . $x . __FUNCTION__[0]; };
$reflector = new \ReflectionFunction($closure);
var_dump($reflector->isClosure(), $reflector->isAnonymous(), $reflector->getClosureUsedVariables());
var_dump($reflector->invoke('v'), $reflector->getClosure() === $closure);
echo new \ReflectionFunction('strlen');
try {
    new \ReflectionFunction('nothing');
} catch (\ReflectionException $e) {
    echo $e->getMessage(), "\n";
}
class Box {
    private function secret(int $n = 2) { return $n * 2; }
    public static function open() { return static::class; }
}
$secret = new \ReflectionMethod('App\Box', 'secret');
var_dump($secret->invoke(new Box), $secret->invokeArgs(new Box, [5]), ($secret->getClosure(new Box))(6));
var_dump((new \ReflectionMethod('App\Box', 'open'))->invoke(null));
try {
    $secret->invoke(null);
} catch (\ReflectionException $e) {
    echo $e->getMessage(), "\n";
}
