<?php
// Closures of builtin functions have no object and no scope, whatever they are bound to.
class Scope {}
foreach ([strlen(...), Closure::fromCallable('array_sum')] as $closure) {
    var_dump($closure->bindTo(new Scope), @Closure::bind($closure, new Scope, Scope::class), $closure->bindTo(null));
}
function user(string $text) { return isset($this) ? get_class($this) : 'none'; }
var_dump((user(...))->bindTo(new Scope)('x'));
// The bound copy of a function lives while it runs, though nothing else holds its closure.
function counted(int $by) { static $calls = 0; $calls += $by; return [isset($this) ? get_class($this) : 'none', $calls]; }
class Methods { function name() { static $calls = 0; return static::class . ++$calls; } }
class Below extends Methods {}
for ($i = 0; $i < 3; $i++) {
    echo implode(' ', (counted(...))->bindTo(new Scope)(2)), ' ', implode(' ', (counted(...))->bindTo(null)(1)), ' ';
    echo ((new Methods)->name(...))->bindTo(new Below)(), ' ', implode(' ', array_map((counted(...))->bindTo(new Scope), [5])[0]), "\n";
}
function walk() { yield isset($this) ? get_class($this) : 'none'; yield from (walk(...))->bindTo(null)(); }
foreach ((walk(...))->bindTo(new Scope)() as $n => $who) {
    echo $who, "\n";
    if ($who == 'none') {
        break;
    }
}
