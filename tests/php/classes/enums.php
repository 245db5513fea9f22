<?php
// Cases, methods, constants, interfaces, from and tryFrom, identity.
interface HasColor { public function color(): string; }
enum Suit: string implements HasColor
{
    case Hearts = 'H';
    case Spades = 'S';
    const WILD = self::Spades;
    public function color(): string { return match ($this) { self::Hearts => 'red', self::Spades => 'black' }; }
    public static function lucky(): self { return self::WILD; }
    public function label(): string { return ucfirst(strtolower($this->name)) . '=' . $this->value; }
}
enum Status { case On; case Off; }
enum Level: int { case Low = 1; case High = 1 + 9; }
echo Suit::Hearts->color(), Suit::lucky()->label(), Suit::from('H')->name, Level::from(10)->name, Level::from('1')->name, "\n";
var_dump(Suit::tryFrom('X'), Suit::Hearts === Suit::from('H'), Suit::Hearts == Suit::Spades, Suit::Hearts instanceof UnitEnum, Status::On instanceof BackedEnum);
var_dump(Status::cases(), array_map(fn($s) => $s->value, Suit::cases()), Suit::WILD);
foreach ([fn() => Suit::from('Z'), fn() => Level::from(7), fn() => new Status, fn() => clone Status::On, fn() => Status::None, fn() => Status::On->value, fn() => Suit::Hearts < Suit::Spades] as $f) {
    try {
        var_dump($f());
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
const KEEP = Status::On;
echo match (KEEP) { Status::On => 'on', Status::Off => 'off' }, "\n";
var_dump((fn(Status $s = Status::Off) => $s)());
