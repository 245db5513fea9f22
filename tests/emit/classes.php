<?php
namespace Shop;

use Other\Base as Parent_;

#[Attribute]
final class Item extends Parent_ implements Named, \Countable {
    use Logged, Traced {
        Logged::log insteadof Traced;
        Traced::log as protected trace;
    }

    const int LIMIT = 10;
    private const NAMES = ['a' => self::LIMIT, 'b' => 2];
    public static $count = 0;
    protected ?string $title = null;
    public private(set) int $size = 1 + 2;

    public string $name {
        get => strtoupper($this->name);
        set => trim($value);
    }
    public int $double { get { return $this->size * 2; } }

    public function __construct(private readonly array $parts = [], public $made = new \stdClass) {
        parent::__construct($parts);
        static::$count += self::LIMIT;
    }

    public function count(): int { return count($this->parts); }
    public function __toString() { return __CLASS__ . __METHOD__ . static::class; }
}
