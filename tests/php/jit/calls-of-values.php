<?php
// Calls of what a value names: closures, closures of functions, names, objects with __invoke, callable arrays; with references;
// what is not callable.

class Doubler
{
    public function __invoke(int $x): int
    {
        return $x * 2;
    }

    public function add(int $x): int
    {
        return $x + 10;
    }

    public static function negate(int $x): int
    {
        return -$x;
    }
}

function half(int $x): int
{
    return $x >> 1;
}

function collect(array $functions, int $n): int
{
    $sum = 0;
    for ($i = 0; $i < $n; $i++) {
        foreach ($functions as $f) {
            $y = $f($i) + $i % 7;
            $z = $y * 3 + $sum % 11;
            $sum = ($sum * 31 + $y + $z) & 0xffffff;
            $sum ^= $i;
            $sum += $z & 15;
            $sum -= $y & 3;
        }
    }
    return $sum;
}

function changes($f, int $n): array
{
    $list = [];
    for ($i = 0; $i < $n; $i++) {
        $value = $i;
        $other = $i * 2 + 1;
        $sum = $value + $other;
        $more = $sum * 3 - $value;
        $f($value, $other);
        $list[$i % 5] = $value + $sum + $more;
    }
    return $list;
}

$base = 5;
$count = 0;
$doubler = new Doubler();
$functions = [
    fn($x) => $x + $base,
    'half',
    'abs',
    half(...),
    intval(...),
    $doubler,
    $doubler->add(...),
    [$doubler, 'add'],
    'Doubler::negate',
    function ($x) use (&$count) {
        return $x + ++$count;
    },
    static function (int ...$all) {
        return array_sum($all) + func_num_args();
    },
];
echo collect($functions, 300), ' ', $count, "\n";
foreach ($functions as $f) {
    echo collect([$f], 300), "\n";
}
echo implode(',', changes(function (&$a, $b) { $a += $b; }, 300)), "\n";
echo implode(',', changes(function ($a, &$b) { $b += $a; return $b; }, 300)), "\n";
foreach (['nothing', 5, ['Doubler', 'none'], null] as $bad) {
    try {
        echo collect(['half', $bad], 200), "\n";
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}

function deep(callable $f, int $n): int
{
    return $n === 0 ? $f(0) : $f($n) + deep($f, $n - 1);
}

$trace = function (int $x) {
    if ($x === 3) {
        throw new Exception('three');
    }
    return $x;
};
for ($i = 0; $i < 200; $i++) {
    try {
        deep($trace, 2);
        deep($trace, 5);
    } catch (Exception $e) {
        $last = $e;
    }
}
echo $last->getMessage(), ' ', count($last->getTrace()), ' ', $last->getTrace()[1]['function'], "\n";
