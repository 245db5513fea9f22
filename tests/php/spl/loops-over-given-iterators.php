<?php
// Loops over what getIterator() gives: iterators of builtin classes that nobody else has, generators, and those that others hold.

class Holder implements IteratorAggregate
{
    public function __construct(public array $items) {}
    public function getIterator(): Iterator { return new ArrayIterator($this->items); }
    public function __destruct() { echo "holder gone\n"; }
}
class Kept implements IteratorAggregate
{
    public ArrayIterator $kept;
    public function __construct(array $items) { $this->kept = new ArrayIterator($items); }
    public function getIterator(): Iterator { return $this->kept; }
}
class Generating implements IteratorAggregate
{
    public function __construct(private array $items) {}
    public function getIterator(): Iterator
    {
        echo "[start]";
        try {
            foreach ($this->items as $key => $item) {
                yield $key => $item;
            }
            yield from $this->items;
        } finally {
            echo "[end]";
        }
    }
}
class Twice implements IteratorAggregate
{
    public function __construct(private array $items) {}
    public function getIterator(): Traversable { return new Holder($this->items); }
}
class Shouting extends ArrayIterator
{
    public function current(): mixed { return strtoupper(parent::current()); }
}
class Shouts implements IteratorAggregate
{
    public function getIterator(): Iterator { return new Shouting(['a', 'b']); }
}
class Recursive implements IteratorAggregate
{
    public function getIterator(): Iterator { return new RecursiveArrayIterator([1, [2, 3]]); }
}

$holder = new Holder([1, 2, 3]);
foreach ($holder as $value) {
    echo spl_object_id(new stdClass), ' ';
}
foreach (new Holder([1, 2]) as $value) {
    foreach ($holder as $inner) {
        echo spl_object_id(new stdClass), ' ';
    }
}
foreach (new ArrayIterator([1, 2]) as $value) {
    echo spl_object_id(new stdClass), ' ';
}
echo spl_object_id(new stdClass), "\n";
unset($holder);
$holder = new Holder(['a' => 1, 'b' => 2, 5 => 3]);
foreach ($holder as $key => $value) {
    echo "$key=$value ";
    $holder->items[] = 'more';
    $holder->items['b'] = 'changed';
}
echo "\n";
foreach ($holder as $value) {
    foreach ($holder as $key => $inner) {
        if ($key === 5) {
            continue 2;
        }
        echo "$value/$inner ";
    }
}
echo "\n";
foreach (new Holder([1, 2]) as $value) {
    echo "temporary $value\n";
}
foreach (new ArrayIterator(['x' => 1, 'y' => 2]) as $key => $value) {
    echo "$key $value\n";
}
foreach (new Twice([1, 2]) as $key => $value) {
    echo "$key $value\n";
}
foreach (new Shouts as $value) {
    echo $value, "\n";
}
foreach (new Recursive as $key => $value) {
    echo $key, ' ', json_encode($value), "\n";
}
foreach (new Holder([]) as $value) {
    echo "never\n";
}
$kept = new Kept([1, 2, 3]);
foreach ($kept as $key => $value) {
    if ($key === 0) {
        $kept->kept[1] = 'replaced';
        $kept->kept[] = 'added';
    }
    echo "$key $value\n";
}
foreach ($kept as $value) {
    echo $kept->kept->key(), $value, ' ';
}
echo "\n";
$copy = clone $kept->kept;
foreach ($copy as $key => $value) {
    $copy[$key] = "$value!";
}
echo json_encode($copy->getArrayCopy()), "\n";
foreach (new Generating(['k' => 1, 'l' => 2]) as $key => $value) {
    echo "$key=>$value ";
}
echo "\n";
foreach (new Generating([1, 2, 3]) as $value) {
    if ($value === 2) {
        break;
    }
    echo "$value ";
}
echo "\n";
function walk(iterable $what): string
{
    foreach ($what as $key => $value) {
        if ($value === 2) {
            return "found at $key";
        }
    }
    return 'nothing';
}
echo walk(new Holder([1, 2, 3])), ' ', walk(new Generating([1, 2])), ' ', walk(new Holder([])), ' ', walk([2]), ' ', walk([]), "\n";
function fails(iterable $what): void
{
    foreach ($what as $value) {
        throw new Exception("at $value");
    }
}
foreach ([new Holder([7]), new Generating([8]), [9]] as $what) {
    try {
        fails($what);
    } catch (Exception $exception) {
        echo $exception->getMessage(), "\n";
    }
}
unset($what);
// References in the array, and objects' ids.
$one = 1;
$items = [&$one, 2];
foreach (new Holder($items) as $key => $value) {
    if ($key === 0) {
        $one = 'changed';
    }
    echo $value, "\n";
}
$holder = new Holder([1, 2, 3]);
foreach ($holder as $holder->items['self']) {
    echo count($holder->items), ' ';
}
echo "\n";
function numbers(iterable $what)
{
    foreach ($what as $value) {
        yield $value;
        gc_collect_cycles();
    }
}
foreach (numbers(new Holder([1, 2])) as $value) {
    echo $value, ' ';
}
echo "\n";
$left = numbers(new Holder([1, 2]));
echo $left->current(), "\n";
unset($left);
try {
    foreach (new Holder([1]) as &$value) {
    }
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
echo "end\n";
