<?php
// What a list starts with, and what can be called.
class Callables
{
    public function open() { return is_callable([$this, 'closed']); }
    private function closed() {}
    protected static function hidden() {}
    public static function shown() {}
}
class Calls { public function __call($name, $arguments) {} }
function first(mixed $value): array
{
    $list = [];
    $list[] = $value;
    $list[] = 'next';
    return $list;
}
function held(): array { $list = []; $list[] = []; $list[0][] = 1; $list[] = $list; return $list; }
$shared = [];
$copy = $shared;
$copy[] = 1;
$reference = &$shared;
$reference[] = new stdClass;
$made = [];
$made[] = $made;
$text = str_repeat('x', 2);
echo json_encode([first(1), first($text), first(null), first([]), held(), $shared, $copy, $made]), "\n";
$object = new Callables;
foreach ([fn() => 1, 'strlen', 'STRLEN', '\strlen', 'none', 'Callables::shown', 'Callables::hidden', 'Callables::open', [$object, 'open'],
    [$object, 'OPEN'], [$object, 'closed'], [$object, 'hidden'], [$object, 'shown'], [$object, 'none'], ['Callables', 'shown'], ['Callables', 'open'],
    [new Calls, 'anything'], [$object], [1, 2], [], '', ':', 5, null, $object, new ArrayObject, [1 => 'open', 0 => $object]] as $value) {
    echo (int) is_callable($value), (int) is_callable($value, true), ' ';
}
echo (int) $object->open(), "\n";
