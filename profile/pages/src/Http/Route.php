<?php
declare(strict_types=1);

namespace Site\Http;

#[\Attribute(\Attribute::TARGET_METHOD | \Attribute::IS_REPEATABLE)]
final class Route
{
    private const KINDS = ['int' => '\d+', 'word' => '[\w-]+'];

    public array $action = [];
    private ?string $pattern = null;

    public function __construct(public readonly string $path, public readonly string $method = 'GET')
    {
    }

    public function pattern(): string
    {
        return $this->pattern ??= '~^' . preg_replace_callback(
            '/\{(\w+)(?::(\w+))?\}/',
            static fn (array $found): string => "(?<{$found[1]}>" . (self::KINDS[$found[2] ?? 'word'] ?? '[^/]+') . ')',
            $this->path,
        ) . '$~';
    }
}
