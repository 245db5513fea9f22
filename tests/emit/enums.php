<?php
enum Suit: string implements HasLabel {
    case Hearts = 'H';
    case Spades = 'S';
    const Wild = self::Spades;

    public static function make(): static {
        return new class('x') {
            public function __construct(public string $v) {}
        };
    }
}

interface HasLabel {
    const X = Suit::Hearts;
    public function label(): string;
}

trait Traced {
    abstract protected function where(): ?self;
    public function name() { return __CLASS__ . __TRAIT__; }
}
