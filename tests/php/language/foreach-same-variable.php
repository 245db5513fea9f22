<?php
// The key is assigned after the value.
foreach (['a', 'b'] as $x => $x) {
    var_dump($x);
}
foreach (['k' => 'a', 'l' => 'b'] as $x => $x) {
    var_dump($x);
}
$held = 'string ' . PHP_VERSION_ID;
foreach ([$held, $held . '!', 3] as $i => $held) {
    echo $i, ' ', $held === 3 ? 'three' : strlen($held), "\n";
}
foreach (['p' . 1 => 1, 'q' . 2 => 2] as $key => $value) {
    $key .= '.';
    echo $key, $value, "\n";
}
class Loud
{
    public function __construct(public int $n)
    {
    }

    public function __destruct()
    {
        echo "gone {$this->n}\n";
    }
}
$make = fn () => [new Loud(1), new Loud(2)];
foreach ($make() as $object) {
    echo $object->n, "\n";
}
unset($object);
try {
    foreach ([new class { public function __destruct() { throw new Exception('from a destructor'); } }, 2] as $thrower) {
        echo is_object($thrower) ? 'object' : 'two', "\n";
    }
} catch (Exception $e) {
    echo $e->getMessage(), "\n";
}
