<?php
// Properties of objects of many classes, at one place in the code: reads, assignments, what types take.

abstract class Base
{
    protected ?Base $other = null;
    protected int $number = 0;
    public readonly string $once;
    public $plain;
    protected iterable|Base $wide = [];

    public function link(?Base $other): void { $this->other = $other; }
    public function other(): ?Base { return $this->other; }
    public function name(): string { return $this->other?->plain ?? 'none'; }
    public function count(mixed $value): void { $this->number = $value; }
    public function number(): int { return $this->number; }
    public function name_once(string $name): void { $this->once = $name; }
    public function widen($value): void { $this->wide = $value; }
    public function plain($value): void { $this->plain = $value; }
    public function quiet(): mixed { return $this->plain->plain ?? 'quiet'; }
    public function reset(): void { unset($this->number); }
}
class A extends Base { public $extra = 'a'; }
class B extends Base { private $first = 'b'; }
class C extends Base { private $second = 'c'; }
class D extends Base { private $third = 'd'; }
class E extends D {}
class Loud extends Base
{
    public function __destruct() { echo 'gone ', $this->plain, "\n"; }
}
class Magic extends Base
{
    public function __get($name) { return "magic $name"; }
    public function __set($name, $value) { echo "set $name\n"; }
}

$all = [new A, new B, new C, new D, new E, new Magic];
foreach ([1, 2, 3] as $round) {
    foreach ($all as $i => $object) {
        $next = $all[($i + $round) % count($all)];
        $object->link($next);
        $object->count($i * $round);
        $object->plain("p$i");
        $object->widen($round === 2 ? $next : [$round]);
        echo $object->other() === $next ? 'same' : 'other', ' ', $object->number(), ' ', $object->name(), ' ', $object->quiet(), "\n";
    }
}
foreach ($all as $object) {
    foreach (['first', 'second'] as $name) {
        try {
            $object->name_once($name);
        } catch (Error $error) {
            echo get_class($object), ': ', $error->getMessage(), "\n";
        }
    }
    foreach (['12', 1.0, 'x', null, new stdClass] as $value) {
        try {
            $object->count($value);
            echo $object->number(), "\n";
        } catch (TypeError $error) {
            echo $error->getMessage(), "\n";
        }
    }
    try {
        $object->widen(new stdClass);
    } catch (TypeError $error) {
        echo $error->getMessage(), "\n";
    }
}
// References, with types and without.
foreach ($all as $i => $object) {
    $object->plain = &$shared;
    $object->plain("by reference $i");
    echo $shared, "\n";
    (function () use (&$typed) { $typed = &$this->number; })->call($object);
    $typed = 5;
    $object->count('7');
    var_dump($typed);
    try {
        $object->count([]);
    } catch (TypeError $error) {
        echo $error->getMessage(), "\n";
    }
    unset($typed);
}
// Unset properties.
foreach ($all as $object) {
    $object->reset();
    try {
        echo $object->number(), "\n";
    } catch (Error $error) {
        echo $error->getMessage(), "\n";
    }
    $object->count(3);
}
// What an assignment frees.
foreach ($all as $i => $object) {
    unset($object->plain);
    $loud = new Loud;
    $loud->plain($i);
    $object->link($loud);
    unset($loud);
    $object->link(null);
    echo "unlinked\n";
}
// Dynamic properties, which some objects have.
#[AllowDynamicProperties] class F { }
#[AllowDynamicProperties] class G { public $given = 'declared'; }
#[AllowDynamicProperties] class H { private $given = 'private'; }
class I { public function __get($name) { return "I::$name"; } }
function given(object $object): mixed { return $object->given; }
function maybe(object $object): mixed { return $object->given ?? 'nothing'; }
function give(object $object, $value): void { $object->given = $value; }
foreach ([1, 2] as $round) {
    foreach ([new F, new G, new I, new F, new G, new stdClass] as $i => $object) {
        if ($round === 2 && !$object instanceof I) {
            give($object, "given $i");
        }
        echo maybe($object), ' ', $round === 2 || !$object instanceof F && !$object instanceof stdClass ? given($object) : '-', "\n";
    }
}
