<?php
// Callables by every spelling.
class C
{
    public function m(...$a) { return 'm' . implode($a); }
    public static function s(...$a) { return static::class . 's' . implode($a); }
    public function __invoke($x) { return "invoked $x"; }
}
class D extends C { public function up() { return [call_user_func('parent::s'), call_user_func([$this, 'parent::m'])]; } }
echo call_user_func('strrev', 'abc'), call_user_func([new C, 'm'], 1, 2), call_user_func(['D', 's'], 3), call_user_func('D::s', 4), call_user_func(new C, 5), "\n";
echo call_user_func_array([new C, 'm'], ['x' => 1, 'y' => 2]), implode(',', array_map([new D, 'm'], [1, 2])), "\n";
var_dump(is_callable('strlen'), is_callable('nope'), is_callable([new C, 'm']), is_callable(['C', 'm']), is_callable('C::s'), is_callable(new C), is_callable(fn() => 1));
foreach (['nope', ['C', 'nope'], ['Nope', 'm'], [new C], 5] as $bad) {
    try {
        call_user_func($bad);
    } catch (TypeError $e) {
        echo $e->getMessage(), "\n";
    }
}
try {
    $f = ['C', 'm'];
    $f();
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
