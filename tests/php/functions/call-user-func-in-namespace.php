<?php
// In a namespace call_user_func may be a function of the namespace, so that it is called: it is in traces, and what it is
// given runs above it.
namespace N;


class Gone
{
    public function __construct(private string $name) {}
    public function __destruct() { echo "gone {$this->name}\n"; }
}

function trace(): string
{
    return (new \Exception)->getTraceAsString();
}

class C
{
    public int $n = 0;
    public function run(): void
    {
        $captured = 'kept';
        $plain = function (int $a, $b = 'default') use ($captured) { return "$a $b $captured {$this->n}"; };
        var_dump(call_user_func($plain, 1), call_user_func($plain, '2', 'b'));
        echo call_user_func(fn() => trace()), "\n";
        var_dump(call_user_func(static fn(...$all) => $all, 1, 2, 3));
        var_dump(call_user_func(fn() => \func_get_args(), 1, 2));
        var_dump(call_user_func($this->method(...), 5));
        call_user_func(function () { echo "nothing\n"; });
        call_user_func(function () { return new Gone('unused'); });
        echo "after\n";
        $local = call_user_func(function () { $x = new Gone('local'); return 'value'; });
        var_dump($local);
    }
    private function method(int $by) { return $this->n += $by; }
}

(new C)->run();

// Exceptions pass through it.
foreach ([0, 1] as $inside) {
    try {
        $value = call_user_func(function ($inside) {
            $held = new Gone("held $inside");
            try {
                throw new \LogicException("thrown");
            } catch (\LogicException $e) {
                if (!$inside) {
                    throw $e;
                }
                return 'caught inside';
            } finally {
                echo "finally\n";
            }
        }, $inside);
        var_dump($value);
    } catch (\LogicException $e) {
        echo 'caught outside: ', $e->getMessage(), "\n", $e->getTraceAsString(), "\n";
    }
}

// What needs more than that.
$reference = function (&$a) { $a++; return $a; };
$one = 1;
var_dump(@call_user_func($reference, $one), $one);
$generator = function ($n) { for ($i = 0; $i < $n; $i++) yield $i; };
foreach (call_user_func($generator, 3) as $i) {
    echo $i, ' ';
}
echo "\n";
try {
    call_user_func(fn($a, $b) => 1, 1);
} catch (\ArgumentCountError $e) {
    echo $e->getMessage(), "\n";
}
try {
    var_dump(call_user_func(fn(int $a): string => $a, 'x'));
} catch (\TypeError $e) {
    echo $e->getMessage(), "\n";
}
var_dump(call_user_func(fn(int $a): string => $a, '5'));
var_dump(call_user_func(fn($a) => $a, a: 3));
var_dump(call_user_func(call_user_func(fn() => fn($x) => $x * 2), 4));
$and = call_user_func(function &() { static $s = 1; return $s; });
var_dump($and);
$down = function ($n) use (&$down) { return $n ? 1 + call_user_func($down, $n - 1) : 0; };
var_dump(call_user_func($down, 2000));

// A body of a generator that is resumed by the closure.
function numbers() { $got = yield 1; echo "got $got\n"; yield 2; }
$numbers = numbers();
var_dump(call_user_func(fn() => $numbers->current()), call_user_func(fn($x) => $numbers->send($x), 'sent'));
function each() { yield call_user_func(fn($x) => $x + 1, 1); yield call_user_func(fn($x) => $x + 2, 1); }
foreach (each() as $value) {
    var_dump($value);
}
$fiber = new \Fiber(function () { return call_user_func(function ($a) { return \Fiber::suspend($a) . '!'; }, 'out'); });
var_dump($fiber->start());
$fiber->resume('in');
var_dump($fiber->getReturn());
echo "done\n";
