<?php
foreach (['ReflectionConstant', 'ReflectionFiber', 'ReflectionGenerator', 'WeakReference', 'ReflectionReference', 'InternalIterator', 'Random\Randomizer', 'HashContext', 'SensitiveParameter', 'SplObjectStorage'] as $class) {
    try {
        echo get_class((new ReflectionClass($class))->newInstanceWithoutConstructor()), "\n";
    } catch (ReflectionException $e) {
        echo $e->getMessage(), "\n";
    }
}
