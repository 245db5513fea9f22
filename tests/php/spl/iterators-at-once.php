<?php
// Loops over array iterators, their subclasses, and what changes meanwhile.
class Shown extends ArrayIterator { function current(): mixed { return '<' . parent::current() . '>'; } }
class Keyed extends ArrayIterator { function key(): string|int|null { return 'k' . parent::key(); } }
class Short extends ArrayIterator { function valid(): bool { return parent::valid() && parent::key() < 2; } }
class Starts extends ArrayIterator { function rewind(): void { parent::rewind(); parent::next(); } }
class Skips extends ArrayIterator { function next(): void { parent::next(); parent::next(); } }
class Agg implements IteratorAggregate { function __construct(public $of) {} function getIterator(): Iterator { echo '(get)'; return $this->of; } }
class Bad implements IteratorAggregate { function getIterator(): Traversable { throw new Exception('no iterator'); } }
function all($it) { foreach ($it as $k => $v) { echo "$k=$v "; } foreach ($it as $v) { echo "$v "; } echo "\n"; }
foreach (['ArrayIterator', 'ArrayObject', 'RecursiveArrayIterator', 'Shown', 'Keyed', 'Short', 'Starts', 'Skips'] as $class) {
    echo $class, ': '; all(new $class(['a', 'b', 'c', 'd']));
    all(new Agg(new ArrayIterator(new $class([5 => 'x', 6 => 'y']))));
}
all(new Agg(new Agg2(new ArrayIterator([]))));
class Agg2 extends ArrayIterator {}
try { all(new Bad); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
$it = new ArrayIterator(['a' => 1, 'b' => 2, 'c' => 3]);
foreach ($it as $k => $v) { echo "$k=$v "; if ($k == 'a') { $it['d'] = 4; } if ($k == 'c') { $it['e'] = 5; } }
foreach ($it as $k => $v) { echo "$k=$v "; if ($k == 'a') { unset($it['b']); } }
echo "\n";
$o = new stdClass; $o->p = 1; $o->q = [2]; foreach (new ArrayIterator($o) as $k => $v) { echo $k, json_encode($v); if ($k == 'p') $o->r = 3; } echo "\n";
$a = [1, 2, 3]; $it = new ArrayIterator($a); foreach ($it as $k => $v) { foreach ($it as $w) { echo "$v$w "; } } echo "\n";
$s = new ArrayIterator([1, 2]); foreach ($s as $v) { var_dump(spl_object_id(new stdClass)); }
function gen() { yield 1; yield 2; } all((function () { yield 'g' => 'h'; })() instanceof Traversable ? new ArrayIterator(iterator_to_array(gen())) : []);
foreach (new Agg(gen()) as $k => $v) { echo "$k=$v "; } echo "\n";
