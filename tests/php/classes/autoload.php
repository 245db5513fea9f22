<?php
// Autoloaders run in order, once per name, and class_exists can ask them.
spl_autoload_register(function ($class) {
    echo "[1 $class]";
    if ($class === 'First') {
        eval('class First { const X = 1; }');
    }
});
spl_autoload_register(function ($class) {
    echo "[2 $class]";
    if (str_starts_with($class, 'App\\')) {
        eval('namespace App; class ' . substr($class, 4) . ' extends \First implements Marker {} ');
    } elseif ($class === 'Nothing') {
        throw new Exception('autoload failed');
    }
});
eval('namespace App; interface Marker {}');
echo First::X, "\n", get_parent_class(new App\Thing), "\n";
var_dump(class_exists('Missing', false), class_exists('Missing'), is_callable('App\Other::none'), $x instanceof NeverLoaded);
try {
    new Nothing;
} catch (Exception $e) {
    echo $e->getMessage(), "\n";
}
try {
    Unknown::call();
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
echo count(spl_autoload_functions()), "\n";
