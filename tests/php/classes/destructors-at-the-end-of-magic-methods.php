<?php
// The object of a magic method dies with the call, and its destructor throws: nothing is done with what the method gave.
class Magic
{
    public function __construct(private bool $throws)
    {
    }

    public function __get(string $name): string
    {
        return "got $name";
    }

    public function __set(string $name, mixed $value): void
    {
        echo "set $name\n";
    }

    public function __isset(string $name): bool
    {
        return true;
    }

    public function __unset(string $name): void
    {
        echo "unset $name\n";
    }

    public function __call(string $name, array $arguments): string
    {
        return "called $name";
    }

    public function __destruct()
    {
        echo "gone\n";
        if ($this->throws) {
            throw new LogicException('on the way out');
        }
    }
}

function make(bool $throws): Magic
{
    return new Magic($throws);
}

function tryAll(bool $throws): void
{
    $ways = [
        fn() => print((new Magic($throws))->name . "\n"),
        function () use ($throws) {
            echo (new Magic($throws))->name, "\n";
        },
        function () use ($throws) {
            make($throws)->name = [1, 2];
            echo "after set\n";
        },
        function () use ($throws) {
            $text = str_repeat('x', 3);
            $result = make($throws)->name = $text;
            echo "$result $text\n";
        },
        function () use ($throws) {
            var_dump(isset((new Magic($throws))->name));
        },
        function () use ($throws) {
            echo (new Magic($throws))->name(1), "\n";
        },
        function () use ($throws) {
            echo (new Magic($throws))->name ?? 'nothing', "\n";
        },
    ];
    foreach ($ways as $way) {
        try {
            $way();
        } catch (LogicException $e) {
            echo get_class($e), ' ', $e->getMessage(), "\n";
        }
    }
}

for ($round = 0; $round < 3; $round++) {
    tryAll(false);
    tryAll(true);
}
