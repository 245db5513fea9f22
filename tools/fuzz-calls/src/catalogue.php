<?php
// Writes what an engine has, a line each: functions, classes, and what belongs to the class above.

function parameters(ReflectionFunctionAbstract $function): string
{
    $words = [];
    foreach ($function->getParameters() as $parameter) {
        $flags = ($parameter->isOptional() ? 'o' : '') . ($parameter->isVariadic() ? 'v' : '')
            . ($parameter->isPassedByReference() ? 'r' : '');
        $words[] = $parameter->getName() . ':' . $parameter->getType() . ':' . $flags;
    }
    $result = $function->hasReturnType() ? $function->getReturnType() : $function->getTentativeReturnType();
    return implode("\t", [(string) $result, ...$words]);
}

foreach (get_defined_functions()['internal'] as $name) {
    echo "function\t$name\t\t", parameters(new ReflectionFunction($name)), "\n";
}
foreach ([...get_declared_classes(), ...get_declared_interfaces()] as $name) {
    $class = new ReflectionClass($name);
    if (!$class->isInternal()) {
        continue;
    }
    $above = [...array_values(class_parents($name)), ...array_values(class_implements($name))];
    $flags = ($class->isInterface() || $class->isAbstract() ? 'a' : '') . ($class->isEnum() ? 'e' : '')
        . ($class->isFinal() ? 'f' : '');
    echo "class\t$name\t$flags\t", implode("\t", $above), "\n";
    foreach ($class->getMethods() as $method) {
        // A class below can take over what is neither final nor has a result type that it would have to repeat.
        $fixed = $method->isFinal() || $method->isPrivate() || $method->hasReturnType();
        $flags = ($method->isStatic() ? 's' : '') . ($method->isAbstract() ? 'a' : '') . ($fixed ? 'f' : '');
        echo "method\t", $method->getName(), "\t$flags\t", parameters($method), "\n";
    }
    foreach ($class->getProperties() as $property) {
        echo "property\t", $property->getName(), "\n";
    }
    foreach ($class->getReflectionConstants() as $constant) {
        if ($class->isEnum() && $constant->isEnumCase()) {
            echo "case\t", $constant->getName(), "\n";
        } elseif (is_int($constant->getValue())) {
            echo "constant\t", $constant->getName(), "\n";
        }
    }
}
