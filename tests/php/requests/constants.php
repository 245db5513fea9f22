<?php
// Constants that are objects are released with the request, however often compiled code has read them.
enum Suit
{
    case Hearts;
    case Spades;
    const Wild = self::Spades;
    public static function wild(): self { return self::Wild; }
    public static function late(): self { return static::Wild; }
}
class Card
{
    const SUIT = Suit::Hearts;
    public static function suit(): Suit { return static::SUIT; }
}
class Joker extends Card
{
    const SUIT = Suit::Wild;
}
for ($i = 0; $i < 6; ++$i) {
    echo Suit::wild()->name, Suit::late()->name, Card::suit()->name, Joker::suit()->name, ' ';
}
echo "\n";
