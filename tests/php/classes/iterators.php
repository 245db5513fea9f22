<?php
// Iterator's protocol call by call; IteratorAggregate; foreach with keys of any type.
class It implements Iterator
{
    private $i = 0;
    public function __construct(private array $d) {}
    public function rewind(): void { echo '[rewind]'; $this->i = 0; }
    public function valid(): bool { echo '[valid]'; return $this->i < count($this->d); }
    public function current(): mixed { echo '[current]'; return $this->d[$this->i]; }
    public function key(): mixed { echo '[key]'; return [$this->i]; }
    public function next(): void { echo '[next]'; $this->i++; }
}
foreach (new It(['a', 'b']) as $k => $v) {
    echo $k[0], $v, "\n";
}
echo "\n";
foreach (new It([1]) as $v) {
    echo $v;
    break;
}
echo "\n", implode(',', iterator_to_array(new It([5, 6]), false)), iterator_count(new It([1, 2, 3])), "\n";
[$x, $y] = [...new ArrayIterator(['spread', 'two'])];
try {
    [...new It([1])];
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
echo $x, $y, "\n";
class Agg implements IteratorAggregate { public function getIterator(): Traversable { return new It(['from aggregate']); } }
foreach (new Agg as $v) {
    echo $v, "\n";
}
class Bad implements IteratorAggregate { public function getIterator(): Traversable { throw new Exception('no iterator'); } }
try {
    foreach (new Bad as $v);
} catch (Exception $e) {
    echo $e->getMessage(), "\n";
}
