<?php
declare(strict_types=1);

namespace Site;

class Container
{
    /** @var array<string, object> */
    private array $made = [];
    /** @var array<string, \Closure> */
    private array $factories = [];

    public function __construct(array $config)
    {
        $this->made[self::class] = $this;
        $this->made[static::class] = $this;
    }

    public function set(string $id, \Closure $factory): static
    {
        $this->factories[$id] = $factory;
        return $this;
    }

    /**
     * @template T of object
     * @param class-string<T> $id
     * @return T
     */
    public function get(string $id): object
    {
        return $this->made[$id] ??= isset($this->factories[$id]) ? ($this->factories[$id])($this) : $this->build($id);
    }

    public function forget(string $id): void
    {
        unset($this->made[$id]);
    }

    private function build(string $class): object
    {
        $reflection = new \ReflectionClass($class);
        $constructor = $reflection->getConstructor();
        if ($constructor === null) {
            return new $class;
        }
        $arguments = [];
        foreach ($constructor->getParameters() as $parameter) {
            $type = $parameter->getType();
            $arguments[$parameter->getName()] = match (true) {
                $type instanceof \ReflectionNamedType && !$type->isBuiltin() => $this->get($type->getName()),
                $parameter->isDefaultValueAvailable() => $parameter->getDefaultValue(),
                default => throw new \LogicException("No value for {$parameter->getName()} of $class"),
            };
        }
        return new $class(...$arguments);
    }
}
