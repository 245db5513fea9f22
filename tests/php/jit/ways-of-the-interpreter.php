<?php
// What compiled code leaves to the interpreter and goes on behind: `@`, methods that values name, objects as conditions,
// classes that are not there, builtin functions whose references are not passed, `call_user_func` in a namespace.
namespace Ways;

interface Shape {}
class A implements Shape { public ?object $next = null; public int $count = 0; }
class B extends A {}
final class Word implements \IteratorAggregate
{
    public function getIterator(): \Iterator { return new \ArrayIterator([1]); }
}

class Calls
{
    public int $sum = 0;
    public function first(int $x, int $y): array { $this->sum += $x; return [$x, $y]; }
    protected function second($x, $y) { $this->sum++; return null; }
    private function third($x, $y): string { return $x . '-' . $y; }
    public function __call(string $name, array $args) { return $name . count($args); }
    public function go(string $name, $x) { return $this->{$name}($x, $this->sum); }
    public static function stat(int $x): int { return $x + 1; }
    public static function goStatic(string $name, int $x): int { return static::$name($x); }
}

function silent(array $a, int $key): int
{
    $value = @$a[$key];
    $read = @file_get_contents('/nowhere/' . $key);
    return ($value ?? -1) + ($read === false ? 10 : 0) + (error_reporting() === E_ALL ? 100 : 0);
}

function thrown(int $x): string
{
    try {
        return @intdiv($x, $x % 3) . '/' . error_reporting();
    } catch (\DivisionByZeroError $e) {
        return $e->getMessage() . '/' . error_reporting();
    }
}

function chain(?object $object): int
{
    $steps = 0;
    while ($object) {
        $steps++;
        $object = $object instanceof A ? $object->next : null;
    }
    return $steps;
}

function known(mixed $x): string
{
    return ($x instanceof \Nowhere\Missing ? 'missing' : '') . ($x instanceof Shape ? 'shape' : 'other')
        . ($x instanceof Late ? ' late' : '');
}

function replaced(string $text, $from): string
{
    $count = 0;
    $short = str_replace($from, 'x', $text);
    $long = str_replace($from, 'y', $text, $count);
    return (is_array($short) ? '' : $short) . $long . $count . preg_match('/b+/', $text);
}

function passed(\Closure $call, int $x): int
{
    return call_user_func($call, $x, 2) + call_user_func('abs', -1);
}

error_reporting(E_ALL);
$calls = new Calls;
$out = [];
for ($i = 0; $i < 300; $i++) {
    if ($i === 200) {
        class_alias(B::class, 'Ways\Late');
    }
    $a = new B;
    $a->next = $i % 2 ? new A : new Word;
    $name = ['first', 'second', 'third', 'none'][$i % 4];
    $line = [
        json_encode($calls->go($name, $i)), Calls::goStatic('stat', $i), silent([1, 2, 3], $i % 5), thrown($i),
        chain($a), known($i % 3 ? $a : $a->next), replaced("abc$i", $i % 7 ? 'b' : ['a', 'b']),
        passed(fn (int $x, int $y): int => $x * $y + $i, $i),
    ];
    $out[] = implode(' ', $line);
}
echo $out[0], "\n", $out[7], "\n", $out[21], "\n", $out[299], "\n", md5(implode("\n", $out)), "\n", $calls->sum, "\n";

function failing(int $x): int
{
    return call_user_func(function (int $x): int {
        if ($x === 150) {
            throw new \LogicException('no more');
        }
        return $x;
    }, $x);
}
try {
    for ($i = 0; $i < 300; $i++) {
        failing($i);
    }
} catch (\LogicException $e) {
    echo $e->getMessage(), ' ', $i, "\n", preg_replace('~ [^ ]*/~', ' ', $e->getTraceAsString()), "\n";
}
