<?php
// Bodies that are resumed often: pipelines, keys, values of several kinds, what is sent, and everything that ends a body's
// code early.
function numbers(int $from, int $to)
{
    for ($i = $from; $i <= $to; $i++) {
        yield $i;
    }
}

function map(callable $f, iterable $it)
{
    foreach ($it as $k => $v) {
        yield $k => $f($v);
    }
}

function filter(callable $f, iterable $it)
{
    foreach ($it as $k => $v) {
        if ($f($v)) {
            yield $k => $v;
        }
    }
}

function take(int $n, iterable $it)
{
    foreach ($it as $k => $v) {
        if ($n-- <= 0) {
            return 'cut';
        }
        yield $k => $v;
    }
    return 'end';
}

function chunk(iterable $it, int $size)
{
    $buffer = [];
    foreach ($it as $v) {
        $buffer[] = $v;
        if (count($buffer) === $size) {
            yield $buffer;
            $buffer = [];
        }
    }
    if ($buffer) {
        yield $buffer;
    }
}

function sum(iterable $it): string
{
    $sum = 0;
    $keys = 0;
    foreach ($it as $k => $v) {
        $sum += is_array($v) ? array_sum($v) : (is_string($v) ? strlen($v) : $v);
        $keys += is_int($k) ? $k : strlen($k);
    }
    return "$sum/$keys";
}

echo "pipelines\n";
for ($round = 0; $round < 3; $round++) {
    $pipe = take(40, map(fn($x) => $x * 3 + 1, filter(fn($x) => $x % 3 !== 0, numbers(1, 100))));
    echo sum($pipe), ' ', $pipe->getReturn(), ' ', sum(chunk(numbers(1, 50), 7)), "\n";
}

echo "closures that capture, methods, names\n";
class Scale
{
    public function __construct(private int $by)
    {
    }

    public function of(int $x): int
    {
        return $x * $this->by;
    }

    public function all(iterable $it)
    {
        foreach ($it as $x) {
            yield $this->of($x);
        }
    }
}
$by = 5;
$scale = new Scale(7);
foreach ([fn($x) => $x * $by, $scale->of(...), [$scale, 'of'], 'abs', fn($x) => $x - 1, strrev(...)] as $f) {
    echo sum(map($f, numbers(1, 60))), ' ';
}
echo sum($scale->all(numbers(1, 60))), "\n";

echo "kinds that change\n";
function kinds(int $n)
{
    for ($i = 0; $i < $n; $i++) {
        yield "k$i" => match (true) {
            $i < 40 => $i,
            $i < 60 => $i / 2,
            $i < 80 => "s$i",
            $i < 100 => [$i, $i],
            $i < 110 => null,
            default => 1.5,
        };
    }
}
foreach ([1, 2] as $_) {
    $seen = [];
    foreach (kinds(130) as $k => $v) {
        $seen[gettype($v)] = ($seen[gettype($v)] ?? 0) + (is_array($v) ? count($v) : strlen((string)$v)) + strlen($k);
    }
    echo json_encode($seen), ' ', sum(map(fn($v) => $v, kinds(100))), "\n";
}

echo "overflow, and variables that become something else\n";
function growing(int $n)
{
    $x = PHP_INT_MAX - 30;
    for ($i = 0; $i < $n; $i++) {
        yield $x;
        $x++;
    }
}
foreach (growing(34) as $last) {
}
var_dump($last);

echo "exceptions\n";
function risky(int $n)
{
    for ($i = 0; $i < $n; $i++) {
        if ($i === 55) {
            throw new LogicException("at $i");
        }
        yield $i;
    }
}
function fails(int $x): int
{
    return intdiv(100, 50 - $x);
}
foreach ([risky(100), map(fails(...), numbers(1, 90)), map(fn($x) => fails($x), numbers(1, 90))] as $g) {
    $count = 0;
    try {
        foreach ($g as $v) {
            $count++;
        }
    } catch (Throwable $e) {
        echo get_class($e), ' ', $e->getMessage(), " after $count: ";
        foreach ($e->getTrace() as $frame) {
            echo $frame['function'], '(', count($frame['args'] ?? []), ') ';
        }
        var_dump($g->valid());
    }
}

echo "try, finally, early ends\n";
function guarded(int $n)
{
    try {
        for ($i = 0; $i < $n; $i++) {
            try {
                yield $i;
            } catch (RuntimeException $e) {
                yield $e->getMessage();
            }
        }
    } finally {
        echo "[finally $i]";
    }
}
foreach ([10, 60, 200] as $stop) {
    foreach (guarded(100) as $v) {
        if ($v === $stop) {
            break;
        }
    }
    echo " $stop\n";
}
$g = guarded(100);
foreach ($g as $v) {
    if ($v === 50) {
        echo $g->throw(new RuntimeException('thrown')), ' ', $g->current(), "\n";
    }
}
unset($g);

echo "sent\n";
function averager()
{
    $sum = $n = 0;
    while (true) {
        $x = yield $n ? $sum / $n : null;
        if ($x === null) {
            return $n;
        }
        $sum += $x;
        $n++;
    }
}
$g = averager();
$g->current();
$last = 0;
foreach (numbers(1, 100) as $i) {
    $last = $g->send($i < 80 ? $i : $i + 0.5);
}
$g->next();
printf("%.3f %d\n", $last, $g->getReturn());

echo "in itself, while it runs, from elsewhere\n";
function looks(int $n)
{
    global $self;
    for ($i = 0; $i < $n; $i++) {
        try {
            if ($i === 50) {
                $self->next();
            }
        } catch (Error $e) {
            yield $e->getMessage();
        }
        yield $i;
    }
}
$self = looks(60);
$text = '';
foreach ($self as $v) {
    $text .= is_string($v) ? "($v)" : '.';
}
echo $text, "\n";
$shared = numbers(1, 100);
$odd = $even = 0;
foreach ($shared as $v) {
    $odd += $v;
    $shared->next();
    $even += $shared->current();
    if ($v > 80) {
        break;
    }
}
echo "$odd $even ", $shared->current(), "\n";

echo "variables by reference, named and global\n";
function referring(array $list)
{
    foreach ($list as &$v) {
        $v++;
        yield $v;
    }
    unset($v);
    $total = 0;
    $add = function ($x) use (&$total) {
        $total += $x;
    };
    foreach ($list as $x) {
        $add($x);
        yield $total;
    }
    $name = 'hidden';
    for ($i = 0; $i < 50; $i++) {
        $$name = $i;
        yield $hidden;
    }
    return compact('total', 'hidden');
}
$g = referring(range(1, 50));
echo sum($g), ' ', json_encode($g->getReturn()), "\n";

echo "delegation\n";
function inorder(?array $t)
{
    if ($t !== null) {
        yield from inorder($t[0]);
        yield $t[1];
        yield from inorder($t[2]);
    }
}
function tree(int $lo, int $hi): ?array
{
    if ($lo > $hi) {
        return null;
    }
    $m = ($lo + $hi) >> 1;
    return [tree($lo, $m - 1), $m, tree($m + 1, $hi)];
}
function all(int $n)
{
    for ($i = 0; $i < $n; $i++) {
        $got = yield from numbers(1, $i % 4);
        yield $got;
    }
    yield from [1, 2, 3];
}
echo sum(inorder(tree(1, 100))), ' ', sum(all(50)), "\n";

echo "destructors\n";
class Loud
{
    public function __construct(public int $n)
    {
    }

    public function __destruct()
    {
        if ($this->n % 20 === 0) {
            echo "<{$this->n}>";
        }
    }
}
function loud(int $n)
{
    for ($i = 0; $i < $n; $i++) {
        yield new Loud($i);
    }
}
foreach (loud(50) as $v) {
}
unset($v);
echo "\n", sum(map(fn($x) => $x + 1, numbers(1, 100))), "\n";
foreach (map(fn($x) => new Loud($x), numbers(1, 45)) as $v) {
}
echo "\n";
