<?php
// Closure::bind, bindTo, call and fromCallable: scopes, objects, static variables, refusals.

class Safe
{
    private $secret = 42;
    private static $shared = 7;
    public function getter() { return function () { return $this->secret; }; }
    public static function unbound() { return static fn() => isset($this); }
    private function hidden($x) { return "hidden $x"; }
    public function expose() { return Closure::fromCallable([$this, "hidden"]); }
    public function __call($name, $arguments) { return $name . "(" . implode(",", $arguments) . ")"; }
}

class Other extends Safe
{
}

$read = function ($plus = 0) { return $this->secret + $plus; };
var_dump(Closure::bind($read, new Safe(), Safe::class)(1));
var_dump($read->call(new Safe(), 8));
$static = static fn() => self::$shared;
var_dump(Closure::bind($static, null, Safe::class)());
var_dump((new Other())->expose()("now"), Closure::fromCallable([new Safe(), "anything"])(1, 2));
var_dump(Closure::fromCallable("strtoupper")("loud"), strlen(...)("four"));

function counter()
{
    return function () {
        static $n = 10;
        return ++$n;
    };
}
$a = counter();
$a();
$b = clone $a;
$c = $a->bindTo(new stdClass());
var_dump($a(), $b(), $b(), $c(), counter()());

var_dump(@Closure::bind(Safe::unbound(), new Safe()));
$getter = (new Safe())->getter();
var_dump($getter->bindTo(null), $getter->bindTo(new stdClass(), "NoSuchClass"), $read->bindTo(null, "ArrayObjectish"));
var_dump($read->bindTo(new stdClass(), stdClass::class));
var_dump((new Safe())->expose()->bindTo(new stdClass()), (new Safe())->expose()->bindTo(null));
var_dump(Closure::fromCallable("strlen")->bindTo(null, Safe::class));
try {
    new Closure();
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
try {
    Closure::fromCallable("no_such_function");
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
try {
    $read->extra = 1;
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}

var_dump(str_repeat(...), (new Safe())->expose());
var_dump(method_exists($read, "__invoke"), $read instanceof Closure, is_callable([$read, "__invoke"]), strlen(...) == strlen(...));
