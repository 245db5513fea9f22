<?php
// The collector frees cycles and runs their destructors.
class Node { public $other; public function __construct(public string $name) {} public function __destruct() { echo "destroy $this->name\n"; } }
function cycle() { $a = new Node('a'); $b = new Node('b'); $a->other = $b; $b->other = $a; }
cycle();
echo "before collection\n";
var_dump(gc_collect_cycles() > 0);
echo "after\n";
$self = new Node('self');
$self->other = [$self];
unset($self);
gc_collect_cycles();
$arr = [new Node('in array')];
$arr[] = &$arr;
unset($arr);
gc_collect_cycles();
$f = new Node('closure');
$f->other = function () use ($f) { return $f; };
unset($f);
gc_collect_cycles();
var_dump(gc_enabled());
echo "end\n";
