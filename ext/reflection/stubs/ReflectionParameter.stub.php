<?php
class ReflectionParameter implements Reflector {
    public string $name;
    #[real_return] private function __clone(): void {}
    public function __construct($function, int|string $param) {}
    public function __toString(): string {}
    public function getName(): string {}
    public function isPassedByReference(): bool {}
    public function canBePassedByValue(): bool {}
    public function getDeclaringFunction(): ReflectionFunctionAbstract {}
    public function getDeclaringClass(): ?ReflectionClass {}
    #[\Deprecated(since: '8.0', message: 'use ReflectionParameter::getType() instead')]
    public function getClass(): ?ReflectionClass {}
    public function hasType(): bool {}
    public function getType(): ?ReflectionType {}
    #[\Deprecated(since: '8.0', message: 'use ReflectionParameter::getType() instead')]
    public function isArray(): bool {}
    #[\Deprecated(since: '8.0', message: 'use ReflectionParameter::getType() instead')]
    public function isCallable(): bool {}
    public function allowsNull(): bool {}
    public function getPosition(): int {}
    public function isOptional(): bool {}
    public function isDefaultValueAvailable(): bool {}
    public function getDefaultValue(): mixed {}
    public function isDefaultValueConstant(): bool {}
    public function getDefaultValueConstantName(): ?string {}
    public function isVariadic(): bool {}
    #[real_return] public function isPromoted(): bool {}
    #[real_return] public function getAttributes(?string $name = null, int $flags = 0): array {}
}
