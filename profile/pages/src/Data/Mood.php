<?php
declare(strict_types=1);

namespace Site\Data;

enum Mood: string
{
    case Low = 'low';
    case Fair = 'fair';
    case High = 'high';

    public static function of(int $rating): self
    {
        return match (true) {
            $rating < 2 => self::Low,
            $rating < 4 => self::Fair,
            default => self::High,
        };
    }

    public function label(): string
    {
        return ucfirst($this->value);
    }
}
