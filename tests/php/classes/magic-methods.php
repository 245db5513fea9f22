<?php
// __call, __callStatic, __invoke, __toString, __clone, __set_state, __debugInfo.
class M
{
    public $inner;
    public function __construct(public $n = 1) { $this->inner = new stdClass; }
    public function __call($name, $args) { return "$name(" . implode(', ', $args) . ')'; }
    public static function __callStatic($name, $args) { return "static $name(" . implode(', ', $args) . ')'; }
    public function __invoke(...$args) { return array_sum($args); }
    public function __toString(): string { return "M#$this->n"; }
    public function __clone() { $this->n++; $this->inner = clone $this->inner; }
    public function __debugInfo() { return ['shown' => $this->n]; }
    public static function __set_state(array $a) { return new self($a['n']); }
    public function inside() { return [self::foo(1), static::bar(), M::baz()]; }
}
$m = new M;
echo $m->undefined(1, 'b'), M::stat(2), $m(1, 2, 3), $m, "\n";
$c = clone $m;
var_dump($c, $c->inner === $m->inner, $m instanceof Stringable, "$c" === (string) $c);
echo implode(' ', $m->inside()), strlen($m), str_replace('M', 'N', $m), "\n";
eval('$e = ' . var_export(new class { public $x = 1; } ? [1, 'a' => null] : 0, true) . ';');
var_dump($e);
echo implode(',', array_map($m, [1, 2], [3, 4])), "\n";
