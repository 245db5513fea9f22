<?php
// Closures as listeners, priorities, stopping, weak references to subscribers.
class Dispatcher
{
    private array $listeners = [];
    public function on(string $event, callable $f, int $priority = 0): static { $this->listeners[$event][$priority][] = $f; return $this; }
    public function fire(string $event, mixed ...$args): int
    {
        $count = 0;
        $all = $this->listeners[$event] ?? [];
        krsort($all);
        foreach ($all as $list) { foreach ($list as $f) { $count++; if ($f(...$args) === false) { break 2; } } }
        return $count;
    }
}
class Greeter { public function __construct(private string $word) {} public function greet(string $n, string ...$more) { echo "$this->word $n ", implode('+', $more), "\n"; } public static function log($n) { echo "log $n\n"; } public function __invoke($n) { echo "invoked for $n\n"; return false; } }
$d = new Dispatcher;
$seen = [];
$d->on('hi', [new Greeter('Hello'), 'greet'])->on('hi', 'Greeter::log', 10)->on('hi', (new Greeter('Bye'))->greet(...), -5)->on('hi', function ($n) use (&$seen) { $seen[] = $n; }, 5);
echo $d->fire('hi', 'Ann', 'b', 'c'), "\n";
$d->on('hi', new Greeter('x'), 7);
echo $d->fire('hi', 'Bob'), $d->fire('none'), implode(',', $seen), "\n";
