<?php
// Classes that are being linked are not there, but their names count in checks of types.
spl_autoload_register(function ($name) {
    echo "load $name\n";
    if ($name === 'Root') {
        class Root { public function make(): Middle {} }
        echo get_class(new Root), "\n";
    } elseif ($name === 'Middle') {
        class Middle extends Root { public function make(): Leaf {} }
        echo get_class(new Middle), "\n";
    } elseif ($name === 'Leaf') {
        class Leaf extends Middle {}
        echo get_class(new Leaf), "\n";
    } elseif ($name === 'Absent') {
        var_dump(class_exists('Waiting'));
        try { new ReflectionClass('Waiting'); } catch (ReflectionException $e) { echo $e->getMessage(), "\n"; }
    }
});
echo get_class(new Leaf), "\n";
try {
    eval('class Waiting implements Absent {}');
} catch (Error $e) { echo $e->getMessage(), "\n"; }

// Code that is evaluated again has anonymous classes of its own.
function made() { static $n = 0; return eval('return new class { public $p' . ++$n . '; };'); }
[$a, $b] = [made(), made()];
print_r($a); print_r($b);
var_dump($a::class === $b::class, $a instanceof $b);
