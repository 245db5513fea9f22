<?php
// Entries of a WeakMap whose value leads back to the key are garbage when nothing else holds the key.

class Node { public $next; function __construct(public string $name) {} function __destruct() { echo "destroying $this->name\n"; } }
$map = new WeakMap;
$self = new Node("self");
$map[$self] = $self;
$key = new Node("key");
$value = new Node("value");
$value->next = $key;
$map[$key] = $value;
gc_collect_cycles();
echo count($map), "\n";
unset($self);
gc_collect_cycles();
echo count($map), "\n";
unset($key);
gc_collect_cycles();
echo count($map), "\n";
unset($value);
gc_collect_cycles();
echo count($map), "\n";

$holder = new Node("holder");
$own = new WeakMap;
$k = new Node("outer key");
$holder->next = $own;
$own[$k] = $holder;
unset($own, $holder);
var_dump(gc_collect_cycles());
echo "still here: $k->name\n";
$plain = new stdClass;
$map[$plain] = $plain;
unset($plain);
var_dump(gc_collect_cycles(), count($map));
echo "end\n";
