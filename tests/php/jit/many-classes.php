<?php
// Methods of many classes at one place, results of several kinds, and callees that get code after their callers.
abstract class Node
{
    abstract public function accept(Visitor $v): mixed;
    public function kind(): string { return static::KIND; }
    public const KIND = 'node';
}
interface Visitor { public function leaf(Leaf $n): mixed; public function pair(Pair $n): mixed; }
final class Leaf extends Node
{
    public const KIND = 'leaf';
    public function __construct(public readonly int $value) {}
    public function accept(Visitor $v): mixed { return $v->leaf($this); }
}
class Pair extends Node
{
    public const KIND = 'pair';
    public function __construct(public readonly Node $l, public readonly Node $r) {}
    public function accept(Visitor $v): mixed { return $v->pair($this); }
}
final class Twin extends Pair
{
    public const KIND = 'twin';
    public function __construct(Node $of) { parent::__construct($of, clone $of); }
}
final class Sum implements Visitor
{
    public function leaf(Leaf $n): mixed { return $n->value; }
    public function pair(Pair $n): mixed { return ($n->l->accept($this) + $n->r->accept($this)) % 1000003; }
}
final class Text implements Visitor
{
    public function leaf(Leaf $n): mixed { return $n->value % 7 === 0 ? null : "$n->value"; }
    public function pair(Pair $n): mixed { return '(' . ($n->l->accept($this) ?? '-') . $n->r->accept($this) . ')'; }
}
final class Copy implements Visitor
{
    public int $made = 0;
    public function leaf(Leaf $n): mixed { return $n->value % 5 === 0 ? new Leaf($n->value + 1) : $n; }
    public function pair(Pair $n): mixed { $this->made++; return new Pair($n->l->accept($this), $n->r->accept($this)); }
}
function make(int $depth, int $seed): Node
{
    if ($depth === 0) {
        return new Leaf($seed & 63);
    }
    return $seed % 3 === 0 ? new Twin(make($depth - 1, $seed * 5 + 1)) : new Pair(make($depth - 1, $seed + 1), make($depth - 1, $seed * 3));
}
$sum = new Sum(); $text = new Text(); $copy = new Copy();
$total = 0; $chars = 0; $kinds = [];
for ($i = 0; $i < 600; $i++) {
    $tree = make(4, $i);
    $total += $tree->accept($sum);
    $chars += strlen($tree->accept($text));
    $other = $tree->accept($copy);
    $total += $other->accept($sum);
    $kinds[$tree->kind()] = ($kinds[$tree->kind()] ?? 0) + 1;
    foreach ([$tree, $other, $other->l ?? $tree] as $node) {
        $total += strlen($node->kind());
    }
}
echo "$total $chars {$copy->made} "; print_r($kinds);
