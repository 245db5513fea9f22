<?php
// Calls that the interpreter makes for compiled code, of functions that have code: with it, left on the way, thrown out of.
class Box
{
    public function __construct(private int $by) {}
    public function add(int|string|null $x): int|string
    {
        return is_int($x) ? $x + $this->by : "$x!";
    }
    public function adder(): Closure
    {
        return fn(int $x): int => $x + $this->by;
    }
    public static function twice(float $x): float
    {
        return $x * 2;
    }
    public function __invoke(array $list, string $glue = '-'): string
    {
        return implode($glue, $list) . $this->by;
    }
}

function later(callable ...$fs): Closure
{
    return function (mixed $x) use ($fs) {
        foreach ($fs as $f) {
            $x = $f($x);
        }
        return $x;
    };
}

function count_up(array &$list, int $by): int
{
    $list[] = $by;
    return count($list);
}

function guarded(callable $f, mixed $x): string
{
    try {
        return (string) $f($x);
    } catch (LogicException $e) {
        return get_class($e) . $e->getMessage() . count($e->getTrace());
    } catch (TypeError $e) {
        return 'type';
    }
}

function run(int $n): string
{
    $box = new Box(3);
    $calls = [$box->add(...), [$box, 'add'], $box->adder(), fn(int $x) => $x * 2, 'abs', 'Box::twice', [Box::class, 'twice']];
    $chain = later(fn($x) => $x + 1, $box->adder(), fn($x) => $x % 1000, fn(int $x): array => [$x, $x], $box, fn(string $s) => "<$s>");
    $throws = function (int $x) { if ($x % 5 == 0) { throw new LogicException("at $x"); } return $x; };
    $seen = '';
    $list = [];
    $name = 'count_up';
    for ($i = 0; $i < $n; $i++) {
        $f = $calls[$i % 7];
        $seen = md5($seen . $f($i) . $chain($i) . guarded($throws, $i % 9) . guarded($throws, $i % 100 == 99 ? 'x' : 1));
        $seen .= $name($list, $i) . $box->add($i % 50 == 49 ? null : $i);
        if ($i % 70 == 0) {
            $list = [];
        }
    }
    return $seen;
}
echo run(3000), "\n";
