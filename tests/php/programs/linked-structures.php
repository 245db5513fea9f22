<?php
// A binary tree and a queue with iterators.
class Tree implements IteratorAggregate, Countable
{
    private ?Tree $left = null;
    private ?Tree $right = null;
    private int $size = 0;
    private mixed $value;
    public function add(mixed ...$values): static { foreach ($values as $v) { $this->insert($v); } return $this; }
    private function insert(mixed $v): void { if ($this->size++ === 0) { $this->value = $v; return; } $side = $v < $this->value ? 'left' : 'right'; ($this->$side ??= new Tree)->insert($v); }
    public function getIterator(): Generator { if ($this->size) { yield from $this->left ?? []; yield $this->value; yield from $this->right ?? []; } }
    public function count(): int { return $this->size; }
    public function depth(): int { return $this->size ? 1 + max($this->left?->depth() ?? 0, $this->right?->depth() ?? 0) : 0; }
    public function __clone() { $this->left = $this->left ? clone $this->left : null; $this->right = $this->right ? clone $this->right : null; }
}
$t = (new Tree)->add(5, 2, 8, 1, 9, 3, 7);
$copy = clone $t;
$copy->add(0, 100);
foreach ([$t, $copy] as $x) { echo implode(' ', iterator_to_array($x, false)), ' | ', count($x), ' deep ', $x->depth(), "\n"; }
class Stack { private array $items = []; public function push($x) { $this->items[] = $x; return $this; } public function pop() { return array_pop($this->items) ?? throw new UnderflowException('empty'); } }
$s = (new Stack)->push(1)->push([2])->push('three');
echo $s->pop(), $s->pop()[0], $s->pop(), "\n";
try {
    $s->pop();
} catch (UnderflowException $e) {
    echo $e->getMessage(), "\n";
}
