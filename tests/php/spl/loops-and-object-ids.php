<?php
// A loop over an iterator takes an object id while it runs.
class Rows implements IteratorAggregate {
    public function __construct(private array $rows) {}
    public function getIterator(): Iterator { return new ArrayIterator($this->rows); }
}
class Steps implements Iterator {
    private $at = 0;
    public function current(): mixed { return $this->at; }
    public function key(): mixed { return "k$this->at"; }
    public function next(): void { $this->at++; }
    public function rewind(): void { $this->at = 0; }
    public function valid(): bool { return $this->at < 2; }
}
class Doubled extends ArrayIterator { public function current(): mixed { return parent::current() * 2; } }
function generate() { yield 'a' => spl_object_id(new stdClass); yield 'b' => spl_object_id(new stdClass); }
foreach ([new Rows([1, 2]), new Steps, new Doubled([1, 2]), new ArrayObject([5]), new Rows([])] as $subject) {
    for ($round = 0; $round < 2; $round++) {
        foreach ($subject as $key => $value) {
            echo get_class($subject), " $key $value ", spl_object_id(new stdClass), "\n";
            if ($round) {
                break;
            }
        }
        echo spl_object_id(new stdClass), "\n";
    }
}
foreach (generate() as $key => $value) {
    echo "$key $value ", spl_object_id(new stdClass), "\n";
}
echo spl_object_id(new stdClass), "\n";
foreach (generate() as $value) {
    foreach (generate() as $inner) {
        echo "$value $inner ", spl_object_id(new stdClass), "\n";
        break;
    }
}
function fails() { yield 1; throw new Exception('in the middle'); }
try {
    foreach (fails() as $value) {
    }
} catch (Exception $exception) {
    unset($exception);
}
echo spl_object_id(new stdClass), "\n";
