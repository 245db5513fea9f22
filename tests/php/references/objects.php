<?php
// Objects are handles: passing them does not copy, assigning in a function does not rebind.
class P { public $v = 1; public ?P $next = null; }
function mutate(P $p) { $p->v = 2; $p = new P; $p->v = 3; }
function rebind(P &$p) { $p = new P; $p->v = 4; }
$p = new P;
$alias = $p;
mutate($p);
echo $p->v, $alias->v, "\n";
rebind($p);
echo $p->v, $alias->v, "\n";
$list = [new P, new P];
foreach ($list as $item) { $item->v = 'changed'; }
echo $list[1]->v, "\n";
$head = null;
foreach ([3, 2, 1] as $n) { $node = new P; $node->v = $n; $node->next = $head; $head = $node; }
for ($n = $head; $n; $n = $n->next) { echo $n->v; }
$prev = null;
while ($head) { [$head->next, $prev, $head] = [$prev, $head, $head->next]; }
for ($n = $prev; $n; $n = $n->next) { echo $n->v; }
echo "\n";
$o = (object) ['list' => [1]];
$ref = &$o->list;
$ref[] = 2;
$copy = clone $o;
$copy->list[] = 3;
echo count($o->list), "\n";
