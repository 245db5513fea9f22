<?php
class It implements Iterator { static $alive = 0; private $i = 0; function __construct(private $n) { self::$alive++; } function __destruct() { self::$alive--; } function current(): mixed { return $this->i; } function key(): mixed { return $this->i; } function next(): void { $this->i++; } function valid(): bool { return $this->i < $this->n; } function rewind(): void { $this->i = 0; } }
class Ag implements IteratorAggregate { function getIterator(): Iterator { return new It(5); } }
function find($o, $x) { foreach ($o as $k => $v) { if ($v === $x) { return $k; } } return null; }
function deep($o, $x) { foreach ($o as $k => $v) { foreach (new It(3) as $w) { if ($v + $w === $x) { return "$k$w"; } } } return null; }
function thrower($o) { foreach ($o as $v) { if ($v === 2) throw new Exception("x"); } }
function tries($o) { try { foreach ($o as $v) { if ($v === 3) return "r$v"; } } finally { $GLOBALS['n']++; } return 0; }
function conts($a) { $s = 0; foreach ($a as $o) { foreach ($o as $v) { if ($v > 2) continue 2; $s += $v; } } return $s; }
function arr($a, $x) { foreach ($a as $k => $v) { if ($v === $x) return $k; } return -1; }
$n = 0;
for ($r = 0; $r < 400; $r++) {
    $a = [find(new It(9), 4), find(new Ag, 3), find(new Ag, 77), deep(new Ag, 5), deep(new It(4), 99), tries(new Ag), tries(new It(2)), conts([new Ag, new It(1), new Ag]), arr([1, 'b', 2.5, null, [1]], null), arr(['a' => 1, 'b' => true, 3 => 'x', 4 => 1.5], 1.5)];
    try { thrower(new Ag); } catch (Exception $e) { $a[] = $e->getMessage(); }
    unset($e);
    if (It::$alive !== 0) { echo "round $r alive ", It::$alive, "\n"; break; }
    if ($r % 133 == 0) echo json_encode($a), "\n";
}
$m = memory_get_usage(); for ($r = 0; $r < 2000; $r++) { find(new It(9), 4); arr([1, [1, 2], 'q' . $r, $r], 'zz'); arr([1, [1, 2], $r], $r); } 
echo memory_get_usage() - $m < 2000 ? "steady" : "grows " . (memory_get_usage() - $m), "\n";
