<?php
// Constant expressions read properties of enum cases and elements of arrays; other objects are refused.
enum Suit: string {
    case Hearts = 'H';
    case Spades = 'S';
    const WILD = self::Spades;
    const NAMES = [self::Hearts->name => self::Hearts->value, self::WILD->name => self::WILD->value];
    const COMPUTED = self::Hearts->{'na' . 'me'};
    const NOTHING = null?->name;
}

class Holder {
    const LIST = ['a' => ['b' => 'deep'], 'case' => Suit::Hearts];
    const DEEP = self::LIST['a']['b'];
    const MISSING = self::LIST['x']['y'] ?? 'default';
    const OF_CASE = self::LIST['case']->value;
    public string $name = Suit::Spades->name;
    public ?string $none = self::LIST['none']?->name ?? 'none';
}

function with_default(string $text = Suit::Spades->name, $other = Holder::LIST['a']): string {
    return $text . json_encode($other);
}

var_dump(Suit::NAMES, Suit::COMPUTED, Suit::NOTHING);
var_dump(Holder::DEEP, Holder::MISSING, Holder::OF_CASE, new Holder());
echo with_default(), "\n";

define('AN_OBJECT', new ArrayObject(['k' => 'v']));
const CASE_ELEMENT = Suit::NAMES['Hearts'];
echo CASE_ELEMENT, "\n";

function refused(callable $run): void {
    try {
        var_dump($run());
    } catch (Error $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}

class Wrong {
    const PROPERTY = AN_OBJECT->name;
    const COMPUTED = AN_OBJECT->{'name'};
    const QUIET = AN_OBJECT->name ?? 'default';
    const ELEMENT = AN_OBJECT['k'];
    const OF_CASE = Suit::Hearts['k'];
    const NULLSAFE = AN_OBJECT?->name;
}
refused(fn() => Wrong::PROPERTY);
refused(fn() => Wrong::COMPUTED);
refused(fn() => Wrong::QUIET);
refused(fn() => Wrong::ELEMENT);
refused(fn() => Wrong::OF_CASE);
refused(fn() => Wrong::NULLSAFE);

// What `??` asks for quietly: the elements at the end of a chain, back to its last property.
enum Step {
    case First;
    const LIST = ['first' => self::First, 'null' => null, 'deep' => ['x' => self::First]];
}

class Quiet {
    const A1 = Step::LIST['none']?->name ?? 'default';
    const A2 = Step::LIST['none']->name ?? 'default';
    const A3 = Step::LIST['none']['deeper'] ?? 'default';
    const A4 = (Step::LIST['none']['deeper'] ?? Step::LIST['x']) ?? 'default';
    const A5 = Step::LIST['deep']['y']?->name ?? 'default';
    const A6 = Step::LIST['null']?->name ?? 'default';
    const A7 = Step::LIST['null']->name ?? 'default';
    const A8 = Step::LIST['first']->name['zz'] ?? 'default';
    const A9 = Step::LIST[Step::LIST['none'] ?? 'first']->name ?? 'default';
    const A10 = Step::LIST[Step::LIST['none']] ?? 'default';
    const A11 = Step::LIST['none']?->name['x'] ?? 'default';
    const A12 = Step::LIST['first']->absent ?? 'default';
    const A13 = (Step::LIST['none']) ?? 'default';
    const A14 = Step::LIST['none']->{'na' . 'me'} ?? 'default';
    const A15 = Step::LIST['first']->absent['x']['y'] ?? 'default';
}

foreach (range(1, 15) as $number) {
    echo "A$number: ";
    refused(fn() => constant("Quiet::A$number"));
}
