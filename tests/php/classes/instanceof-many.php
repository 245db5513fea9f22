<?php
// instanceof: a class that is declared later, objects of many classes, temporaries, and what is no object.

class A {}
class B extends A {}
interface I {}
class C implements I {}
class D extends B implements I {}
class Loud { public function __construct(public string $name) {} public function __destruct() { echo "[{$this->name}]"; } }

function later(mixed $x): string { return $x instanceof Later ? 'yes' : 'no'; }
function make(string $class): object { return new $class; }

$objects = [new A, new B, new C, new D, new stdClass];
foreach ([1, 2, 3] as $round) {
    foreach ($objects as $object) {
        echo later($object), ' ', $object instanceof A ? 'A' : '-', $object instanceof I ? 'I' : '-',
            make($object::class) instanceof I ? 'I' : '-', make($object::class) instanceof Missing ? '!' : '-', ' ';
    }
    echo "\n";
    if ($round === 1) {
        eval('class Other {}');
    }
    if ($round === 2) {
        class_alias('B', 'Later');
    }
}
foreach ([null, 1, 'A', [], 1.5, true] as $x) {
    echo $x instanceof A ? 'yes' : 'no', later($x), ' ';
}
echo $undefined instanceof A ? 'yes' : 'no', "\n";
$reference = new D;
$other = &$reference;
echo $reference instanceof A ? 'yes' : 'no', later($reference), "\n";
foreach ([1, 2] as $round) {
    echo new Loud('a') instanceof Loud ? 'yes' : 'no', new Loud('b') instanceof Nowhere ? 'yes' : 'no', "\n";
    var_dump(new Loud('c') instanceof Loud);
}
try {
    foreach ([1, 2] as $round) {
        $answer = new class { public function __destruct() { throw new Exception('gone'); } } instanceof A;
        echo "not reached\n";
    }
} catch (Exception $e) {
    echo $e->getMessage(), "\n";
}
spl_autoload_register(function ($class) { echo "loads $class\n"; });
var_dump($reference instanceof NeverLoaded);
