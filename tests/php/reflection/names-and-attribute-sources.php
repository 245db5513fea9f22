<?php
class Named extends ReflectionMethod
{
    public $other = 1;
}

$method = new Named('ArrayObject', 'count');
foreach (['name', 'class', 'other'] as $property) {
    try {
        $method->$property = 'changed';
    } catch (ReflectionException $exception) {
        echo $exception->getMessage(), "\n";
    }
    var_dump($method->$property);
}

class Holder
{
    const ONE = 1;
}

$constant = new ReflectionClassConstant('Holder', 'ONE');
unset($constant->name);
try {
    var_dump($constant->getName());
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}

// Arguments of attributes are shown as they are written; nothing is evaluated.
#[Attr(MISSING, new Missing(1), Missing::CONSTANT, name: [1, 'a' => Missing::ONE], other: 1 + 2)]
#[Plain(1, 'text', [true, null])]
function attributed()
{
}

foreach ((new ReflectionFunction('attributed'))->getAttributes() as $attribute) {
    echo $attribute;
}

// A closure's __invoke counts as the engine's own.
$closure = function (int $a, $b = 0) {
};
foreach ((new ReflectionMethod($closure, '__invoke'))->getParameters() as $parameter) {
    echo $parameter, ' ', $parameter->getDeclaringFunction()->getName(), "\n";
    var_dump($parameter->isDefaultValueAvailable());
}
echo (new ReflectionObject($closure))->getMethod('__invoke');
