<?php
declare(strict_types=1);

namespace Site\Http;

final class Request
{
    public array $attributes = [];

    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly array $query = [],
        public array $body = [],
    ) {
    }

    public static function of(string $method, string $uri, array $body = []): self
    {
        $parts = parse_url($uri);
        parse_str($parts['query'] ?? '', $query);
        return new self(strtoupper($method), rtrim($parts['path'] ?? '/', '/') ?: '/', $query, $body);
    }

    public function int(string $name, int $default = 0): int
    {
        return filter_var($this->query[$name] ?? null, FILTER_VALIDATE_INT) ?: $default;
    }

    public function with(string $name, mixed $value): static
    {
        $copy = clone $this;
        $copy->attributes[$name] = $value;
        return $copy;
    }
}
