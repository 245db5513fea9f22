<?php
// Properties that lie elsewhere in objects of other classes, and those that are references.
class A { public $x = 1; public $y = 'a'; }
class B { public $z = 0; public $y = [1]; public $x = 2.5; }
class C extends A { public $w; private $v = 3; public function __get($name) { return "magic $name"; } }
class D { public function __get($name) { return strlen($name); } public function __set($name, $value) { echo "set $name\n"; } public function __isset($name) { return $name === 'x'; } }
#[AllowDynamicProperties]
class E { }
function read($object) { return $object->x; }
function write($object, $value) { $object->x = $value; }
function has($object) { return isset($object->x); }
function named($object, $name) { return $object->$name; }
function put($object, $name, $value) { return $object->$name = $value; }
function take(&$place) { $place = is_array($place) ? count($place) : [$place]; }
$dynamic = new E;
$dynamic->x = 'dynamic';
$objects = [new A, new B, new C, $dynamic, new D, new A];
for ($i = 0; $i < 60; $i++) {
    $object = $objects[$i % 6];
    $line = [read($object), has($object), named($object, $i % 2 ? 'x' : 'y')];
    write($object, $i % 7 ? $i : "s$i");
    put($object, 'y', [$i]);
    if ($i % 12 == 5) { take($object->x); }
    if ($i > 50) { echo json_encode($line), "\n"; }
}
// Assignments go through references, whatever they hold and who else has them.
class F { public $any; public ?int $number = 1; public static $shared; public function set($value) { $this->any = $value; return $this->any; } }
function loop(F $f, $values)
{
    $mine = 0;
    $f->any = &$mine;
    $out = '';
    foreach ($values as $value) {
        $f->any = $value;
        $out .= json_encode($mine);
        $mine = [$value];
        $out .= json_encode($f->any);
        $f->set('set');
        $out .= $mine;
    }
    return $out;
}
$f = new F;
$alias = &$f->any;
for ($i = 0; $i < 20; $i++) {
    $out = loop($f, [1, 'two', [3], null, 4.5, true]);
    $alias = &$f->any;
    $f->set($i);
    $seen = $alias;
    unset($f->any);
    $f->any = $i;
}
echo $out, $seen, "\n";
$number = &$f->number;
foreach ([5, '6', 'seven', null, 8] as $value) {
    try {
        for ($i = 0; $i < 10; $i++) { $f->number = $value; }
    } catch (TypeError $error) {
        echo $error->getMessage(), "\n";
    }
    var_dump($number);
}
