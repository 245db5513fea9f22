<?php
// Enums: cases are objects made once, with the methods of UnitEnum and BackedEnum.

interface Labelled
{
    const PREFIX = "suit ";
    public function label(): string;
}

trait Lowered
{
    private function lowered(): string { return strtolower($this->name); }
}

enum Suit: string implements Labelled
{
    use Lowered;

    case Hearts = "H";
    case Spades = self::BLACK . "p";

    const BLACK = "S";
    const DEFAULT = self::Hearts;

    public function label(): string { return self::PREFIX . $this->lowered(); }
    public static function fromLabel(string $label): self
    {
        foreach (self::cases() as $case) {
            if ($case->label() === $label) {
                return $case;
            }
        }
        throw new OutOfRangeException();
    }
}

enum Level: int
{
    case Low = 1;
    case High = 1 << 4;
}

enum Plain
{
    case Only;
    public static function __callStatic($name, $arguments) { return $name; }
    public function __invoke($x) { return $x . $this->name; }
}

var_dump(Suit::cases(), Suit::Spades->value, Suit::from("Sp"), Suit::tryFrom("none"), Suit::DEFAULT->label());
var_dump(Suit::fromLabel("suit spades") === Suit::Spades, Suit::Hearts instanceof Labelled, Suit::Hearts instanceof BackedEnum);
var_dump(Level::from("16"), Level::tryFrom(2), Plain::Only instanceof UnitEnum, Plain::Only instanceof BackedEnum);
var_dump(Plain::some(), (Plain::Only)("-"), Plain::Only == Plain::Only, Plain::Only < Plain::Only);
var_dump((fn(Suit $s = Suit::Hearts) => $s)(), constant("Suit::Hearts"), defined("Suit::Nothing"));

function attempt(callable $f)
{
    try {
        var_dump($f());
    } catch (Throwable $e) {
        echo get_class($e), ": ", $e->getMessage(), "\n";
    }
}

attempt(fn() => Suit::from("X"));
attempt(fn() => Level::from(3));
attempt(fn() => Level::from("abc"));
attempt(fn() => new Plain());
attempt(fn() => clone Plain::Only);
attempt(fn() => Plain::Only->value);
attempt(fn() => Suit::Missing);
attempt(function () { $case = Suit::Hearts; $case->name = "x"; });
attempt(function () { $case = Plain::Only; $case->extra = "x"; });
var_dump((array) Suit::Hearts);

enum Repeated: int
{
    const ONE = 1;
    case A = self::ONE;
    case B = self::ONE;
}
attempt(fn() => Repeated::A);
attempt(fn() => Repeated::from(1));
