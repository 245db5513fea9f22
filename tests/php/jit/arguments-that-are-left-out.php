<?php
// Functions whose last arguments are left out, or that look how many there are, in compiled code.

class Options
{
    public function __construct(public string $name, public ?int $level = null, public array $rest = ['none'])
    {
    }

    public function with(string $name, $value = null, int $step = self::STEP): static
    {
        $copy = clone $this;
        $copy->name = $name;
        $copy->level = ($this->level ?? 0) + $step;
        $copy->rest[] = $value;
        return $copy;
    }

    const STEP = 3;
}

function counted($first, $second = 'x')
{
    $more = func_num_args() > 2 ? func_get_arg(2) : 'nothing more';
    return func_num_args() . ":$first$second:$more";
}

function deprecated(string $name/*, bool $trigger = true */)
{
    $trigger = 1 < \func_num_args() ? func_get_arg(1) : true;
    return $trigger ? "$name!" : $name;
}

function sum(int $a, int $b = 2, int $c = 3): int
{
    if ($a <= 0) {
        return $b * $c;
    }
    return $a + sum($a - 1, $b + 1);
}

function trace(int $depth, $label = 'default', ...$more): int
{
    if ($depth === 0) {
        throw new RuntimeException($label, count($more));
    }
    return trace($depth - 1);
}

function keep(array $list, $extra = [1, 2])
{
    $list[] = count($extra);
    $extra[] = $list;
    return count($extra) + count($list);
}

function named(int $x = 1, int $y = 2, int $z = 3): string
{
    return "$x$y$z";
}

function main(): void
{
    $options = new Options('start');
    for ($i = 0; $i < 8; $i++) {
        $options = $options->with("o$i");
        $options = $options->with("p$i", $i);
        $options = $options->with("q$i", $i, $i);
        echo counted($i), ' ', counted($i, 'y'), ' ', counted($i, 'y', $i), ' ', counted($i, 'y', 'z', 'w'), "\n";
        echo deprecated('a'), deprecated('b', false), deprecated('c', true), "\n";
        echo sum($i), ' ', sum($i, 5), ' ', sum($i, 5, 6), ' ', keep([$i]), ' ', keep([$i], [$i]), "\n";
        echo named(), named(4), named(y: 5), named(z: 6, x: 7), "\n";
        try {
            trace($i, 'given', 1, 2);
        } catch (RuntimeException $e) {
            echo $e->getMessage(), $e->getCode(), ' ', count($e->getTrace()), ' ', json_encode($e->getTrace()[0]['args'] ?? null), "\n";
        }
    }
    echo $options->name, $options->level, json_encode($options->rest), "\n";
}
main();
