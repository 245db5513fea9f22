<?php
// Anonymous classes: arguments, inheritance, one class per place.
interface Logger { public function log(string $m): string; }
function make(string $prefix): Logger
{
    return new class($prefix) implements Logger {
        public function __construct(private string $prefix) {}
        public function log(string $m): string { return "$this->prefix: $m"; }
    };
}
echo make('a')->log('x'), "\n";
var_dump(get_class(make('a')) === get_class(make('b')), make('a') == make('a'), make('a') instanceof Logger);
$o = new class extends Exception { public $extra = 5; protected $message = 'preset'; };
echo $o->getMessage(), $o->extra, get_parent_class($o), str_starts_with(get_class($o), 'Exception@anonymous') ? 'y' : 'n', "\n";
class Outer { private $v = 'outer'; public function inner() { return new class($this->v) { public function __construct(public $from) {} }; } }
echo (new Outer)->inner()->from, "\n";
$list = array_map(fn($n) => new class($n) { public function __construct(public int $n) {} }, [1, 2]);
echo $list[0]::class === $list[1]::class ? 'same' : 'different', $list[1]->n, "\n";
