<?php
// Generators that are suspended inside of loops over builtin iterators, and abandoned there or gone on with.
function over($it) { $n = 0; foreach ($it as $k => $v) { $n++; yield $k => $v; } return $n; }
function nested($a, $b) { foreach ($a as $x) foreach ($b as $y) yield [$x, $y]; }
class Bag implements IteratorAggregate { function __construct(private $items) {} function getIterator(): Iterator { return new ArrayIterator($this->items); } }
class Own extends ArrayIterator { function current(): mixed { return parent::current() . '!'; } }
$kinds = [
    'array' => fn() => ['a' => 1, 'b' => 2, 'c' => 3],
    'ArrayIterator' => fn() => new ArrayIterator([1, 2, 3]),
    'ArrayObject' => fn() => new ArrayObject(['x' => 1, 'y' => 2, 'z' => 3]),
    'IteratorAggregate' => fn() => new Bag([1, 2, 3]),
    'subclass' => fn() => new Own([1, 2, 3]),
    'SplObjectStorage' => function () { $s = new SplObjectStorage; $s[new stdClass] = 1; $s[new stdClass] = 2; return $s; },
    'SplFixedArray' => fn() => SplFixedArray::fromArray([1, 2, 3]),
    'SplDoublyLinkedList' => function () { $l = new SplDoublyLinkedList; $l[] = 1; $l[] = 2; return $l; },
    'SplPriorityQueue' => function () { $q = new SplPriorityQueue; $q->insert('a', 1); $q->insert('b', 2); return $q; },
    'LimitIterator' => fn() => new LimitIterator(new ArrayIterator([1, 2, 3]), 0, 2),
    'CallbackFilterIterator' => fn() => new CallbackFilterIterator(new ArrayIterator([1, 2, 3]), fn($v) => $v != 2),
    'generator' => fn() => (function () { yield 1; yield 2; })(),
    'object' => fn() => (object)['p' => 1, 'q' => 2],
    'DatePeriod' => fn() => new DatePeriod(new DateTimeImmutable('2024-01-01'), new DateInterval('P1D'), 2),
];
$show = fn($v) => is_object($v) ? get_class($v) : $v;
foreach ($kinds as $name => $make) {
    echo $name, ':';
    for ($round = 0; $round < 3; $round++) {
        foreach (over($make()) as $v) { break; }
        $g = over($make()); $g->current(); unset($g);
        foreach (nested([1, 2], $make()) as $i => $v) { if ($i == 1) break; }
        $g = over($make()); $g->next(); $kept[] = $g;
    }
    foreach (over($make()) as $v) echo ' ', $show($v);
    $g = over($make()); foreach ($g as $v); echo ' -> ', $g->getReturn(), "\n";
}
echo count($kept), "\n";
foreach ($kept as $g) { foreach ([1, 2, 3] as $_) { if ($g->valid()) $g->next(); } }
$kept = null;
// What came after the abandoned ones has ids of its own.
$ids = []; for ($i = 0; $i < 5; $i++) { foreach (over(new ArrayIterator([1, 2])) as $v) break; $ids[] = spl_object_id(new stdClass); } echo count(array_unique($ids)), "\n";
