<?php
// Oplines that see the same dynamic properties again and again, and what changes under them.
class Typed { public int $n = 1; public $any; }
class Guarded { public function __set($name, $value) { echo "set $name\n"; } public function __get($name) { return "got $name"; } }
#[AllowDynamicProperties] class Parented { private $hidden = 1; function own() { return $this->hidden; } }
class Child extends Parented {}
class Noted { public static $counter = 1; }

function put($object, $value) { $object->a = $value; }
function get($object) { return $object->a; }
function hidden($object) { $object->hidden = 'mine'; return $object->hidden; }

for ($round = 0; $round < 3; $round++) {
    $plain = new stdClass;
    put($plain, $round);
    put($plain, [$round]);
    $copy = (array) $plain;
    put($plain, 'again');
    var_dump(get($plain), $copy);
    $reference = &$plain->a;
    put($plain, 'through');
    var_dump($reference);
    $typed = new Typed;
    $plain->a = &$typed->n;
    try { put($plain, 'no number'); } catch (TypeError $error) { echo $error->getMessage(), "\n"; }
    put($plain, '42');
    var_dump($typed->n);
    unset($plain->a);
    var_dump(@get($plain), isset($plain->a));
    put($plain, 1);
    var_dump($plain);
    $guarded = new Guarded;
    put($guarded, 1);
    var_dump(get($guarded));
    $child = new Child;
    var_dump(hidden($child), $child->own());
}

// Creation order, numeric names, numbers of properties.
$object = new stdClass;
foreach (['b', 'a', '7', 'c'] as $name) {
    $object->$name = $name . '!';
}
var_dump($object);
foreach ($object as $key => $value) {
    $object->added = $key;
    echo gettype($key), " $key => $value\n";
}

function deprecated($object) { $object->fresh = 1; }
set_error_handler(function ($number, $text) { echo $text, "\n"; return true; });
deprecated(new Typed);
deprecated(new Typed);
$noted = new Noted;
for ($i = 0; $i < 2; $i++) {
    $noted->counter = 5;
    echo $noted->counter, "\n";
}
$storage = new ArrayObject([], ArrayObject::ARRAY_AS_PROPS);
for ($i = 0; $i < 3; $i++) {
    put($storage, $i);
    var_dump(get($storage), count($storage));
}

class Witness { public function __destruct() { echo "gone\n"; } }
$object = new stdClass;
for ($i = 0; $i < 3; $i++) {
    put($object, new Witness);
}
unset($object);
echo "end\n";
