<?php
// Loops over objects in compiled code.
class Bag implements IteratorAggregate { function __construct(private array $a) {} function getIterator(): Iterator { return new ArrayIterator($this->a); } }
class Gen implements IteratorAggregate { function __construct(private array $a) {} function getIterator(): Generator { foreach ($this->a as $k => $v) { yield $k => $v; } } }
class It implements Iterator { private $i = 0; function __construct(private $n) {} function current(): mixed { return $this->i % 3 ? $this->i : "s{$this->i}"; } function key(): mixed { return $this->i; } function next(): void { $this->i++; if ($this->i == 77) throw new Exception("at 77"); } function valid(): bool { return $this->i < $this->n; } function rewind(): void { $this->i = 0; } }
class Plain { public $x = 1; protected $y = 2; public $z = [3]; }
class D { function __construct(public $n) {} function __destruct() { echo "D{$this->n}\n"; } }
function total($o) { $t = 0; foreach ($o as $v) { $t += is_int($v) ? $v : 1; } return $t; }
function keyed($o) { $s = ''; foreach ($o as $k => $v) { $s .= $k; if ($v === 5) break; $s .= ','; } return $s; }
function find($o, $x) { foreach ($o as $k => $v) { if ($v === $x) { return $k; } } return null; }
function nested($o, $p) { $c = 0; foreach ($o as $v) { foreach ($p as $w) { if ($w === $v) continue 2; $c++; } } return $c; }
function thrown($n) { try { foreach (new It($n) as $k => $v) { $l = $k; } return "end $l"; } catch (Exception $e) { return $e->getMessage() . " after $l"; } }
function overwrites($o) { $v = new D(count($o)); foreach ($o as $v) { } return $v; }
function finds($o) { foreach ($o as $v) { try { if ($v === 3) return "three"; } finally { $GLOBALS['f'] = ($GLOBALS['f'] ?? 0) + 1; } } return "none"; }
for ($r = 0; $r < 300; $r++) {
    $a = [1, 2, 3, 4, 5, 6];
    $out = [total(new Bag($a)), total(new Gen($a)), total(new It(20)), total($a), total(new Plain()), total(new ArrayObject(['a' => 1.5, 'b' => 2])),
        keyed(new Bag($a)), keyed(new Gen(['q' => 5, 'r' => 1])), keyed($a), keyed(new Plain()), keyed(new It(12)), find(new Bag($a), 4), find(new Gen($a), 9), find(new SplObjectStorage(), 1),
        nested(new Bag($a), new Gen([3, 4])), nested($a, new Bag([9])), thrown(50), thrown(100), thrown(0 + 1), finds(new Bag($a)), finds($a), finds(new Gen([1]))];
    if ($r == 0) { $first = json_encode($out); echo $first, "\n"; }
    if (json_encode($out) !== $first) { echo "round $r: ", json_encode($out), "\n"; break; }
}
var_dump($f, overwrites([1]), overwrites([]) instanceof D);
foreach (new Bag(range(1, 3)) as $v) { foreach (new Gen(['x' => $v]) as $k => $w) { echo "$v$k$w "; } }
echo "\n";
