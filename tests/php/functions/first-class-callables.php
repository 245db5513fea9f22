<?php
// f(...), $o->m(...) and C::s(...) make closures.
class M
{
    public function __construct(private string $tag = 't') {}
    public function hello($n) { return "$this->tag hello $n"; }
    public static function st($n) { return static::class . " static $n"; }
    public function __call($name, $args) { return "__call $name " . implode(',', $args); }
    public static function __callStatic($name, $args) { return "__callStatic $name"; }
    private function hidden() { return 'hidden ' . $this->tag; }
    public function give() { return $this->hidden(...); }
}
class N extends M {}
$f = strlen(...);
$g = (new M('x'))->hello(...);
$h = N::st(...);
echo $f('abc'), $g('y'), $h('z'), "\n";
echo (new M)->undefined(...)(1, 2), M::other(...)(), (new M('secret'))->give()(), "\n";
$k = 'strtoupper';
echo $k(...)('up'), (new N)->{'hello'}(...)('dyn'), [new M, 'hello'](...)('array'), "\n";
var_dump($f === strlen(...), strlen(...) == strlen(...));
try {
    nope(...);
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
echo implode(',', array_map(intdiv(...), [10, 9], [2, 3])), "\n";
