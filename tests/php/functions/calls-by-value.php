<?php
// What values name is called again and again: strings, pairs, classes in variables, lists of arguments.

function f($a, $b = 'b') { return "$a$b"; }
function changes(&$x, $y = 0) { $x++; return $x + $y; }
class A {
    public $made = 0;
    public function m($a = 'a') { return static::class . $a . ++$this->made; }
    private function hidden() { return 'hidden'; }
    public static function s($a = 's') { return static::class . $a; }
    private static function own() { return 'own'; }
    public function inside($callable, ...$args) { return [call_user_func($callable, ...$args), $callable(...$args), call_user_func_array($callable, $args)]; }
    public function classes($class, $method) { return $class::$method() . $class::s('x'); }
}
class B extends A { public function m($a = 'B') { return 'B' . parent::m($a); } public function __call($n, $a) { return "__call $n"; } public static function __callStatic($n, $a) { return "__callStatic $n"; } }
class Loud { public function __construct(public string $name) {} public function m() { return $this->name; } public function __destruct() { echo "[{$this->name}]"; } }
function attempt(Closure $f) {
    try {
        return json_encode($f());
    } catch (Throwable $e) {
        return get_class($e) . ': ' . preg_replace('~ in \S+ on line \d+~', '', $e->getMessage());
    }
}
foreach ([1, 2, 3] as $round) {
    $a = new A;
    foreach (['f', 'F', '\f', 'strtoupper', 'missing', 'A::s', 'B::other', 'compact'] as $name) {
        echo attempt(fn () => call_user_func($name, 'x')), ' ', attempt(fn () => $name('x')), ' ', attempt(fn () => call_user_func_array($name, ['y'])), "\n";
    }
    foreach ([[$a, 'm'], [$a, 'M'], [new B, 'm'], [$a, 'hidden'], [new B, 'hidden'], [$a, 's'], ['A', 's'], ['B', 's'], ['B', 'missing'], [$a, 'missing'], [1, 2], ['A']] as $pair) {
        echo attempt(fn () => @call_user_func($pair, 'x')), ' ', attempt(fn () => @$pair('x')), ' ', attempt(fn () => @call_user_func_array($pair, ['y'])), ' ', attempt(fn () => @$a->inside($pair)), "\n";
    }
    echo call_user_func([new Loud('temporary'), 'm']), [new Loud('called'), 'm'](), "\n";
    foreach (['A', 'B', 'b', 'Missing', 'ArrayObject'] as $class) {
        foreach (['s', 'S', 'own', 'm', 'missing'] as $method) {
            echo attempt(fn () => $class::$method()), ' ', attempt(fn () => $a->classes($class, $method)), ' ', attempt(fn () => (new B)->classes($class, $method)), "\n";
        }
        echo attempt(fn () => $class::s(1)), "\n";
    }
    $x = 1;
    echo call_user_func_array('changes', [&$x, 5]), $x, @call_user_func('changes', $x), $x, "\n";
    echo call_user_func_array('f', ['b' => 1, 'a' => 2]), call_user_func_array('f', [1, 'b' => 3]), call_user_func_array('max', [1, 5, 2]), "\n";
    echo attempt(fn () => call_user_func_array('f', 5)), attempt(fn () => call_user_func_array('f', [])), "\n";
    echo implode(',', call_user_func_array(fn (...$all) => $all, range(1, 5))), "\n";
}
