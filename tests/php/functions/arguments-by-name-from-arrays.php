<?php
// Arrays that are unpacked into arguments, with and without names; arguments beyond the declared ones.
function f(int $a, int $b = 20, ?int $c = null, string $d = 'd')
{
    return "$a $b " . var_export($c, true) . " $d" . (func_num_args() > 4 ? ' ' . implode(',', func_get_args()) : '') . "\n";
}

function rest(int $a, int ...$rest)
{
    return $a . ' ' . json_encode($rest) . "\n";
}

function changed(int ...$rest)
{
    $rest[] = 'more';
    return json_encode($rest) . json_encode(func_get_args()) . "\n";
}

class Point
{
    public function __construct(public readonly int $x = 0, public readonly int $y = 0, public string $name = 'p')
    {
    }

    public function __call($name, $arguments)
    {
        return $name . json_encode($arguments) . "\n";
    }
}

$sets = [
    ['a' => 1], ['b' => 2, 'a' => 1], ['a' => 1, 'd' => 'D'], ['d' => 'D', 'a' => 3], [1, 'c' => 5], [1, 2, 'd' => 'x'],
    ['c' => 5], ['a' => 1, 'z' => 2], [1, 'a' => 2], ['a' => 1, 2], ['a' => 'text'], [], [1, 2, 3, 'four', 5, 6],
    [5 => 1, 9 => 2], ['a' => 1, 'b' => 2, 'c' => 3, 'd' => '4'], ['d' => 'last', 'c' => 3, 'b' => 2, 'a' => 1],
];
foreach ($sets as $set) {
    foreach (['f', 'rest', fn(int $a, $b = 'closure') => "$a $b\n"] as $callee) {
        try {
            echo $callee(...$set);
            echo call_user_func_array($callee, $set);
        } catch (Error $error) {
            echo get_class($error), ': ', $error->getMessage(), "\n";
        }
    }
    try {
        echo f(9, ...$set);
    } catch (Error $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}
echo changed(1, 2), changed(...[3, 4]), changed(...['k' => 1, 'l' => 2]);
$class = Point::class;
for ($i = 0; $i < 3; $i++) {
    echo json_encode([new $class(...['y' => $i]), new $class(...['name' => 'n', 'x' => 1]), new $class(...[1, 2])]), "\n";
}
echo (new Point)->magic(...['x' => 1, 'y' => 2]), (new Point)->magic(1, ...[2, 'k' => 3]);
$value = 1;
$references = ['a' => &$value];
echo f(...$references);
function by(array &$list, int $add = 1)
{
    $list[] = $add;
}
$list = [0];
$arguments = [&$list];
by(...$arguments);
$named = ['list' => &$list, 'add' => 7];
by(...$named);
echo json_encode($list), "\n";

function few($only)
{
    throw new Exception('few');
}
class Freed
{
    public function __construct(public string $name)
    {
    }

    public function __destruct()
    {
        echo 'freed ', $this->name, "\n";
    }
}
function takes($first)
{
    return $first->name;
}
echo takes(new Freed('declared'), new Freed('extra'), [new Freed('inside')]), "\n";
try {
    few(1, 'two', [3], new Point);
} catch (Exception $exception) {
    echo $exception->getTraceAsString(), "\n";
}
$listeners = [fn($event) => $event, function () { return count(func_get_args()); }, 'few'];
foreach ($listeners as $listener) {
    for ($i = 0; $i < 4; $i++) {
        try {
            echo json_encode($listener('event', $i, $listeners === null)), ' ';
        } catch (Exception $exception) {
            echo $exception->getMessage(), ' ', count($exception->getTrace()[0]['args'] ?? []), ' ';
        }
    }
}
echo "\n";
function recursive(int $depth)
{
    return $depth === 0 ? debug_backtrace()[1]['args'] : recursive($depth - 1, "extra $depth");
}
echo json_encode(recursive(3)), "\n";
