<?php
// ?-> stops the whole chain, arguments included.
class Node
{
    public ?Node $next = null;
    public string $name = 'n';
    public function child(): ?Node { return $this->next; }
    public function label($x) { return "label $x"; }
}
function argument() { echo "evaluated "; return 1; }
$node = new Node;
var_dump($node?->next?->name, $node->child()?->child()->name, $node->next?->label(argument()));
$node->next = new Node;
var_dump($node?->next?->label(argument()));
var_dump(isset($node?->next?->next->name), $node->next->next?->name ?? 'fallback', empty($node?->name));
echo "interpolated: {$node?->next?->name} $node?->name\n";
$null = null;
var_dump($null?->a->b['c']->d(argument()));
foreach ($null?->items ?? [] as $item);
var_dump($undefined?->prop);
