<?php
// What the plain interpreter does in the middle of code: classes by name, casts, spreads, print.
interface Shape {}
class Square implements Shape { public $side = 2; protected $name = 'sq'; private $inner = [1]; }
class Loud
{
    public function __construct(public int $n) {}
    public function __destruct() { if ($this->n % 1000 === 0) echo "gone {$this->n}\n"; }
}
class Rows implements IteratorAggregate
{
    public function __construct(private array $rows) {}
    public function getIterator(): Iterator { return new ArrayIterator($this->rows); }
}
function is_of($value, $class): bool { return $value instanceof $class; }
function as_array($value): int { return count((array)$value); }
function as_object(array $value): int { $object = (object)$value; return $object->a + (is_object($object) ? 1 : 0); }
function name_of($value): string { return $value::class; }
function spread(array $a, $b): array { return [...$a, 0, ...$b, ...[1, 2]]; }
function printed(int $n): int { return $n % 1000 === 0 ? print("p$n ") : 2; }
function loud(int $n): int { return count((array)new Loud($n)); }

$sum = 0;
$names = '';
$square = new Square();
for ($i = 0; $i < 4000; $i++) {
    $class = ['Square', 'Shape', 'Missing', 'stdClass'][$i & 3];
    $sum += is_of($square, $class) ? 1 : 0;
    $sum += is_of($i, $class) ? 100 : 0;
    $sum += is_of($square, $square) ? 1 : 0;
    $sum += as_array($i) + as_array([1, 2, $i]) + as_array($square) + as_array(null) + as_array('s');
    $sum += as_object(['a' => $i & 3]);
    $names = name_of($i & 1 ? $square : new ArrayObject());
    $sum += array_sum(spread([$i & 1, 2], $i & 2 ? [3] : new Rows([4, 5])));
    $sum += printed($i) + loud($i);
}
echo $sum, ' ', $names, "\n";
foreach ([fn() => is_of($square, 5), fn() => name_of('no object'), fn() => spread([1], 7), fn() => name_of(null)] as $f) {
    try {
        $f();
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), ' ', $e->getLine(), "\n";
    }
}

// In the middle of another call's arguments.
function three($a, $b, $c) { return $a + count($b) + ($c ? 1 : 0); }
function inside($object, $class, array $list, int $n): int
{
    return three($n, [...$list, ...[$n]], $object instanceof $class) + three(count((array)$object), (array)$n, $object::class === $class);
}
$sum = 0;
for ($i = 0; $i < 3000; $i++) {
    $sum += inside($square, $i & 1 ? 'Square' : 'Loud', [1, $i], $i);
}
echo $sum, "\n";
