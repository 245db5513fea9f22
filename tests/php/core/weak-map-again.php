<?php
// A key that left a map and came back is in it once: the collector takes the entry's reference off the value once.
class Node
{
    public ?Node $self = null;
    public array $list = [];
}
function cycle(): Node
{
    $node = new Node;
    return $node->self = $node;
}
$map = new WeakMap;
$key = cycle();
$value = new Node;
$value->list = ['text', new Node];
$map[$key] = $value;
unset($map[$key]);
$map[$key] = $value;
unset($key);
var_dump(gc_collect_cycles(), count($map), $value);

// The same with a map that is garbage.
class Holder
{
    public ?Holder $self = null;
    public ?WeakMap $map = null;
}
$holder = new Holder;
$holder->self = $holder;
$holder->map = new WeakMap;
$key = new Node;
for ($i = 0; $i < 3; $i++) {
    $holder->map[$key] = $value;
    unset($holder->map[$key]);
}
$holder->map[$key] = $value;
unset($holder);
var_dump(gc_collect_cycles() > 0, $value, count($map));
