<?php
declare(strict_types=1);

namespace Site;

final class Config implements \ArrayAccess
{
    private array $known = [];

    public function __construct(private array $values)
    {
    }

    public function get(string $path, mixed $default = null): mixed
    {
        if (isset($this->known[$path])) {
            return $this->known[$path];
        }
        $value = $this->values;
        foreach (explode('.', $path) as $key) {
            if (!is_array($value) || !array_key_exists($key, $value)) {
                return $default;
            }
            $value = $value[$key];
        }
        return $this->known[$path] = $value;
    }

    public function offsetExists(mixed $offset): bool
    {
        return $this->get($offset) !== null;
    }

    public function offsetGet(mixed $offset): mixed
    {
        return $this->get($offset);
    }

    public function offsetSet(mixed $offset, mixed $value): void
    {
        throw new \LogicException('The configuration does not change');
    }

    public function offsetUnset(mixed $offset): void
    {
        $this->offsetSet($offset, null);
    }
}
