<?php
// Names computed at run time: variables, properties, functions, classes, constants.
$a = 'b';
$b = 'c';
$c = 'end';
echo $$a, $$$a, ${'c'}, ${'a' . ''}, "\n";
${'odd name'} = 1;
echo ${'odd name'}, "\n";
class T
{
    const K = 'constant';
    public static $s = 'static';
    public $p = 'property';
    public function m($x = '') { return "method$x"; }
    public static function st() { return __METHOD__; }
}
$class = 'T';
$method = 'm';
$prop = 'p';
$const = 'K';
$o = new $class;
echo $o->$method(), $o->$prop, $o->{'p'}, $class::$s, $class::K, $class::{$const}, constant("T::K"), $class::st(), "\n";
$static = 'st';
echo T::$static(), [$o, 'm'](1), ['T', 'st'](), 'T::st'(), (fn() => 'closure')(), "\n";
$array = ['f' => 'strtoupper'];
echo $array['f']('x'), ('str' . 'rev')('abc'), "\n";
function scope()
{
    $local = 1;
    $name = 'local';
    $$name++;
    return [compact('local', 'name'), array_keys(get_defined_vars())];
}
echo json_encode(scope()), "\n";
extract(['e1' => 1, 'c' => 'overwritten'], EXTR_SKIP);
echo $e1, $c, "\n";
