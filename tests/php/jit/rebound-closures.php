<?php
// Closures that are bound to another scope again and again, and given up while their code is being compiled.

class Counter
{
    private int $value = 0;
    public static function of(int $value): Counter
    {
        $counter = new Counter;
        $counter->value = $value;
        return $counter;
    }
}
final class Other
{
    private int $value = 1000;
}

$sum = 0;
for ($i = 0; $i < 400; $i++) {
    $add = function (int $by): int {
        static $calls = 0;
        $calls++;
        for ($j = 0; $j < 3; $j++) {
            $this->value += $by;
        }
        return $this->value + $calls;
    };
    $counter = Counter::of($i);
    $bound = Closure::bind($add, $counter, Counter::class);
    $again = $bound->bindTo(new Other, Other::class);
    $sum += $bound(1) + $bound(2) + $again(1) + $add->call($counter, 5) + $again->bindTo($counter, $counter)(1);
    unset($bound, $again, $add);
}
echo $sum, "\n";

function counted(): int
{
    static $calls = 0;
    return ++$calls;
}
for ($i = 0; $i < 100; $i++) {
    $last = (counted(...))->bindTo(new ArrayObject)() + counted();
}
echo $last, "\n";
