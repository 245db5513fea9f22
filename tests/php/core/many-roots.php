<?php
// The collector among many roots: what is live stays as it is, what holds itself goes.
class Node { public $next; public $items; public $name; function __construct($name) { $this->name = $name; } }
$live = [];
for ($i = 0; $i < 3000; $i++) {
    $node = new Node("n$i");
    $node->items = [$i, [$i + 1, $node->name]];
    $live[] = $node;
    if ($i % 7 == 0 && $i > 0) { $node->next = $live[$i - 1]; $live[$i - 1]->next = $node; }
}
for ($i = 0; $i < 500; $i++) {
    $a = new Node('a'); $b = new Node('b'); $c = new Node('c');
    $a->next = $b; $b->next = $c; $c->next = $i % 2 ? $a : null; $c->items = [&$c->items, $live[$i]];
    if ($i % 50 == 0) { $live[$i]->items[] = $b; }
}
unset($a, $b, $c, $node);
foreach ($live as $node) { $copy = $node; }
echo gc_collect_cycles(), "\n";
$sum = 0;
foreach ($live as $i => $node) {
    $sum += $node->items[0] + $node->items[1][0] + strlen($node->items[1][1]) + (isset($node->next) ? $node->next->items[0] : 0);
    if ($i % 50 == 0 && $i < 500) { $sum += strlen($node->items[2]->name . $node->items[2]->next->name); }
}
echo $sum, "\n";
echo gc_collect_cycles(), "\n";
