<?php
// What can be copied, and what a copy holds.
$old = new DOMDocument();
$old->loadXML('<a b="c"><d/></a>');
$new = Dom\XMLDocument::createFromString('<a b="c"><d/></a>');
$values = [
    $old->childNodes, $old->getElementsByTagName('d'), $old->documentElement->attributes, $new->childNodes,
    $new->getElementsByTagName('d'), $new->documentElement->attributes, $new->implementation, $old->implementation,
    new GlobIterator(__DIR__ . '/*'), new DirectoryIterator(__DIR__), new Random\Randomizer(), new Random\Engine\Mt19937(1),
];
foreach ($values as $value) {
    $can = (new ReflectionObject($value))->isCloneable();
    try {
        $copy = clone $value;
        echo $copy::class, ' ', var_export($can, true), ' ', $copy instanceof Countable ? count($copy) : '-', "\n";
    } catch (Error $e) {
        echo $e->getMessage(), ' ', var_export($can, true), "\n";
    }
}
foreach (['ArrayIterator', 'CachingIterator', 'TypeError', 'ArgumentCountError', 'SplTempFileObject', 'ParentIterator', 'Dom\AdjacentPosition'] as $class) {
    $class = new ReflectionClass($class);
    echo $class->name, ': ', implode(' ', $class->getInterfaceNames()), ' ', implode(' ', Reflection::getModifierNames($class->getModifiers())), "\n";
}
foreach (['hash_hmac', 'get_class_methods', 'session_set_save_handler', 'array_keys', 'mt_rand', 'xml_set_element_handler'] as $function) {
    foreach ((new ReflectionFunction($function))->getParameters() as $parameter) {
        echo $function, ' ', $parameter, ' ', count($parameter->getAttributes()), "\n";
    }
}
echo (new ReflectionMethod('BcMath\Number', 'add'))->getReturnType(), ' ', json_encode((new ReflectionExtension('dom'))->getDependencies()), "\n";
