<?php
// Elements of builtin objects, of classes that extend them, and destructuring into references.
class Logged extends ArrayObject
{
    public function offsetGet(mixed $key): mixed
    {
        return 'got ' . parent::offsetGet($key);
    }
}
class Stored extends SplFixedArray
{
    public function offsetSet($index, $value): void
    {
        parent::offsetSet($index, "<$value>");
    }
}
$objects = [new SplFixedArray(4), new ArrayObject, new Logged, new Stored(4), new SplObjectStorage, new ArrayIterator([5, 6, 7, 8]),
    new WeakMap, new SplDoublyLinkedList];
$key = new stdClass;
foreach ($objects as $object) {
    echo get_class($object), ":\n";
    foreach ([0, 3, 9, -1, '2', 'name', 1.0, true, null, $key] as $offset) {
        try {
            $object[$offset] = 'v' . (is_object($offset) ? 'o' : var_export($offset, true));
            echo json_encode($object[$offset]), ' ';
        } catch (Throwable $error) {
            echo get_class($error), ': ', $error->getMessage(), ' ';
        }
    }
    try {
        echo @json_encode($object['missing']), ' ', $object['missing'] ?? 'default', ' ', count($object), "\n";
    } catch (Throwable $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}
class Freed
{
    public function __construct(private string $name)
    {
    }

    public function __destruct()
    {
        echo "freed $this->name\n";
    }
}
$fixed = new SplFixedArray(2);
$fixed[0] = new Freed('first');
$fixed[0] = new Freed('second');
$fixed[0] = $fixed[1];
$value = 3;
$reference = &$value;
$fixed[1] = $reference;
$value = 4;
echo $fixed[1], "\n";
function make()
{
    return new ArrayObject(['a' => new Freed('element')]);
}
echo gettype(make()['a']), "\n";

function swap(&$a, &$b): void
{
    [$a, $b] = [$b, $a];
}
$list = [1, 'two', [3], null];
for ($i = 0; $i < 6; $i++) {
    swap($list[$i % 4], $list[($i + 1) % 4]);
}
echo json_encode($list), "\n";
class Typed
{
    public int $number = 1;
    public ?string $text = 't';
}
$typed = new Typed;
$number = &$typed->number;
$text = &$typed->text;
[$number, $text] = ['5', 6];
var_dump($typed);
try {
    [$text, $number] = ['fine', 'no number'];
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}
['k' => $text, 'n' => $number] = ['k' => null, 'n' => 8];
[$text, [$number]] = ['deep', [9]];
[, $text] = [1];
var_dump($typed->text, $typed->number);
try {
    [$text, $number] = "no array";
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}
