<?php
// WeakReference and WeakMap do not keep their objects alive.

$object = new stdClass();
$object->name = "kept";
$reference = WeakReference::create($object);
var_dump($reference === WeakReference::create($object), $reference->get() === $object);
unset($object);
var_dump($reference->get());

class Noisy
{
    public function __construct(public string $name) {}
    public function __destruct() { echo "destroying $this->name\n"; }
}

$map = new WeakMap();
$first = new Noisy("first");
$second = new Noisy("second");
$map[$first] = new Noisy("value of first");
$map[$second] = 2;
var_dump(count($map), isset($map[$first]), $map[$second], isset($map[new stdClass()]));
foreach ($map as $key => $value) {
    echo $key->name, " => ", is_object($value) ? $value->name : $value, "\n";
}
unset($key, $value);
$copy = clone $map;
echo "dropping first\n";
unset($first);
echo count($map), count($copy), "\n";
unset($map[$second]);
echo count($map), count($copy), "\n";
var_dump($copy);

foreach (
    [
        fn() => $map[1],
        fn() => $map->extra,
        fn() => serialize($map),
        fn() => new WeakReference(),
        fn() => clone WeakReference::create($map),
    ] as $attempt
) {
    try {
        var_dump($attempt());
    } catch (Throwable $e) {
        echo get_class($e), ": ", $e->getMessage(), "\n";
    }
}
echo "end\n";
