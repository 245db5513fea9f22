<?php
// What a class gets from traits: methods under new names and visibilities, properties, constants, static
// variables of its own, abstract requirements.

trait Counting
{
    private int $count = 0;
    public static array $log = [];
    const STEP = 2;

    public function count(): int
    {
        static $calls = 0;
        $calls++;
        $this->count += self::STEP;
        self::$log[] = static::class . "/" . __CLASS__ . "/" . __TRAIT__ . "/" . __METHOD__ . "/" . __FUNCTION__;
        return $this->count * 100 + $calls;
    }

    abstract private function name(): string;

    public static function make(): static
    {
        return new static();
    }
}

trait Greeting
{
    public function hello() { return "hello from " . $this->name(); }
    private function count() { return "not counted"; }
}

trait Both
{
    use Counting, Greeting {
        Counting::count insteadof Greeting;
        Greeting::count as private plain;
        hello as protected greet;
        hello as final welcome;
    }
}

class First
{
    use Both;
    private function name(): string { return "first"; }
    public function all() { return [$this->greet(), $this->plain(), $this->count()]; }
}

class Second extends First
{
    use Counting { count as public countAgain; }
    private function name(): string { return "second"; }
}

$first = First::make();
print_r($first->all());
var_dump($first->count(), First::make()->count());
$second = Second::make();
var_dump($second->countAgain(), $second->count(), $second->welcome(), $second->hello());
print_r(First::$log);
print_r(Second::$log);
var_dump(First::$log === Second::$log, Second::STEP);
print_r(get_class_methods($second));

class Same
{
    use Printing;
    public $parts = ["a", "b"];
}

trait Printing
{
    public $parts = ["a", "b"];
    public function run() { return implode(",", $this->parts); }
}

var_dump((new Same())->run());
