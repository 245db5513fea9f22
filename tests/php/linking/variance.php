<?php
// Overrides that PHP accepts, also with classes that are declared later.

class Base
{
    function a(Child $x): ?Base { return $this; }
    function b(int $x, ...$rest): int|string|null { return 1; }
    function c(): iterable { return []; }
    function d(): static { return $this; }
    function e(): self { return $this; }
    function f(): object { return $this; }
    function g(Countable&Traversable $x): Traversable { return $x; }
    function h() {}
    function i(): mixed { return 1; }
    function j(): void {}
    function &k($a) { return $a; }
    protected function l(callable|int $x) {}
}

interface ArrayLike extends IteratorAggregate {}

class Child extends Base
{
    function a(Base|null $x, $more = 1): Later { return new Later(); }
    function b(int|float $x, ...$all): never { exit; }
    function c(): array|ArrayLike { return [1]; }
    function d(): static { return $this; }
    function e(): parent { return $this; }
    function f(): Later { return new Later(); }
    function g(Traversable $x): Countable&Traversable { return $x; }
    function h(?int $x = null): int { return 1; }
    function i(): never { throw new Exception(); }
    function j(): void {}
    function &k($a, &...$b) { return $a; }
    public function l(callable|int|string $x) {}
}

class Later extends Base
{
    function e(): static { return $this; }
}

interface Made
{
    const KIND = "made";
    public static function make(int $size): static;
}

abstract class Factory implements Made, Stringable
{
    public function __construct(protected int $size) {}
    public static function make(int|string $size, $extra = []): static { return new static((int) $size); }
    public function __toString(): string { return static::KIND . $this->size; }
}

final class Box extends Factory
{
    const KIND = "box";
    public int $size = 0;
}

var_dump((new Child())->a(null) instanceof Later, (new Child())->c(), (new Child())->h());
echo Box::make("7"), "\n";
var_dump(Box::make(3));

class OldIterator implements IteratorAggregate
{
    #[ReturnTypeWillChange]
    public function getIterator() { yield 1; }
}

class OldCounter implements Countable
{
    public function count() { return 3; }
}

echo count(new OldCounter()), "\n";
