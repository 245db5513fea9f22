<?php
// Oplines and calls that compiled code leaves to the interpreter, one at a time.

enum Size: int
{
    case Small = 1;
    case Large = 10;

    public function weight(): int
    {
        return match ($this) {
            self::Small => 1,
            self::Large => 7,
        };
    }
}

abstract class Base
{
    public const KIND = "base";
    public static int $made = 0;
    protected string $label = "";

    public function __construct(protected Size $size)
    {
        self::$made++;
    }

    abstract public function area(): int;

    public function describe(): string
    {
        return static::KIND . $this->area() * $this->size->weight() . ($this->label ?: static::class);
    }

    public function copy(): static
    {
        $copy = clone $this;
        $copy->label .= "'";
        return $copy;
    }

    public function grow(): static
    {
        return new static(Size::Large);
    }

    public function __get(string $name): mixed
    {
        return "no $name";
    }
}

class A extends Base
{
    public const KIND = "a";

    public function area(): int
    {
        return 2;
    }
}

class B extends Base
{
    public const KIND = "b";

    public function area(): int
    {
        return 3;
    }
}

class C extends B
{
    public function area(): int
    {
        return parent::area() + 1;
    }
}

class D extends Base
{
    public function area(): int
    {
        return self::$made % 5;
    }
}

class E extends A
{
}

class F extends B
{
    public const KIND = "f";
}

$texts = [];
for ($i = 0; $i < 600; $i++) {
    $class = ["A", "B", "C", "D", "E", "F"][$i < 200 ? $i % 2 : $i % 6];
    $object = new $class($i % 3 ? Size::Small : Size::from(10));
    foreach ([$object, $object->copy(), $object->grow()] as $each) {
        $texts[$each->describe()] = ($texts[$each->describe()] ?? 0) + 1;
    }
    if ($i % 97 === 0) {
        echo $each->missing, " ";
    }
}
ksort($texts);
echo count($texts), " ", md5(json_encode($texts)), " ", Base::$made, "\n";

// Callbacks of builtin functions, with captured variables.
$factor = 3;
$total = 0;
for ($i = 0; $i < 60; $i++) {
    $list = array_map(fn($x) => $x * $factor + $i, range(1, 20));
    usort($list, fn($a, $b) => $b <=> $a);
    $total += $list[0];
    $names = array_map(function ($x) use ($factor, &$total) {
        $total++;
        return "n" . $x . $factor;
    }, $list);
}
var_dump($total, end($names));

// What a call by value of a closure gives.
$add = function (int $n) use (&$sum) {
    $sum = ($sum ?? 0) + $n;
    return $n % 2 ? "odd" : $n;
};
$kinds = "";
for ($i = 0; $i < 300; $i++) {
    $r = $add($i);
    $kinds .= is_string($r) ? "s" : "i";
}
var_dump($sum, strlen($kinds), substr_count($kinds, "s"));

// Exceptions through calls that the interpreter makes, and paths into arrays of arrays.
function picky(int $n): int
{
    if ($n % 50 === 49) {
        throw new LogicException("not $n");
    }
    return $n;
}

$tree = [];
$seen = [];
for ($i = 0; $i < 300; $i++) {
    try {
        $tree[$i % 3]["k" . $i % 5]["n"] ??= 0;
        $tree[$i % 3]["k" . $i % 5]["n"] += picky($i);
        unset($tree[$i % 7]["k4"]);
    } catch (LogicException $e) {
        $seen[] = $e->getMessage() . "@" . $e->getLine();
    }
}
echo implode(",", $seen), "\n", json_encode($tree), "\n";

// Bytes are compared.
function classify(string $text): string
{
    $out = "";
    for ($i = 0; $i < strlen($text); $i++) {
        $c = $text[$i];
        $out .= $c >= "a" && $c <= "z" ? "l" : ($c >= "0" && $c < "8" ? "o" : ($c == "9" ? "9" : ($c > " " ? "p" : "s")));
    }
    return $out;
}

echo classify(str_repeat("ab 12 89 {}~\x7f\xff\n", 40)) === str_repeat(classify("ab 12 89 {}~\x7f\xff\n"), 40) ? "same" : "different",
    " ", classify("ab 12 89 {}~\x7f\xff\n"), "\n";
