<?php
// Properties that builtin classes compute are in no list and have no hooks.
$node = (new DOMDocument)->createElement('a');
var_dump(get_object_vars($node), (array) $node, json_encode([$node, new DOMDocument]), var_export($node, true));
foreach ($node as $name => $value) {
    echo $name, "\n";
}
$property = new ReflectionProperty('DOMNode', 'nodeName');
var_dump($property->isVirtual(), $property->hasHooks(), $property->getHooks(), $property->hasHook(PropertyHookType::Get));
echo $property;
try {
    $node->nodeName = new stdClass;
} catch (Error $e) {
    echo get_class($e), ' ', count($e->getTrace()), "\n";
}
class Own { public $plain = 1; public $hooked { get => 2; } }
var_dump(get_object_vars(new Own), (new ReflectionProperty('Own', 'hooked'))->hasHooks());
