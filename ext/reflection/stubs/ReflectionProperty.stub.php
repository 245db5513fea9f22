<?php
class ReflectionProperty implements Reflector {
    public const int IS_STATIC = 16;
    public const int IS_READONLY = 128;
    public const int IS_PUBLIC = 1;
    public const int IS_PROTECTED = 2;
    public const int IS_PRIVATE = 4;
    public const int IS_ABSTRACT = 64;
    public const int IS_PROTECTED_SET = 2048;
    public const int IS_PRIVATE_SET = 4096;
    public const int IS_VIRTUAL = 512;
    public const int IS_FINAL = 32;
    public string $name;
    public string $class;
    #[real_return] private function __clone(): void {}
    public function __construct(object|string $class, string $property) {}
    public function __toString(): string {}
    public function getName(): string {}
    public function getValue(?object $object = null): mixed {}
    public function setValue(mixed $objectOrValue, mixed $value = UNKNOWN): void {}
    #[real_return] public function getRawValue(object $object): mixed {}
    #[real_return] public function setRawValue(object $object, mixed $value): void {}
    #[real_return]
    public function setRawValueWithoutLazyInitialization(#[unchecked] object $object, mixed $value): void {}
    #[real_return] public function skipLazyInitialization(#[unchecked] object $object): void {}
    #[real_return] public function isLazy(#[unchecked] object $object): bool {}
    public function isInitialized(?object $object = null): bool {}
    public function isPublic(): bool {}
    public function isPrivate(): bool {}
    public function isProtected(): bool {}
    #[real_return] public function isPrivateSet(): bool {}
    #[real_return] public function isProtectedSet(): bool {}
    public function isStatic(): bool {}
    #[real_return] public function isReadOnly(): bool {}
    public function isDefault(): bool {}
    #[real_return] public function isDynamic(): bool {}
    #[real_return] public function isAbstract(): bool {}
    #[real_return] public function isVirtual(): bool {}
    #[real_return] public function isPromoted(): bool {}
    public function getModifiers(): int {}
    public function getDeclaringClass(): ReflectionClass {}
    public function getDocComment(): string|false {}
    public function setAccessible(bool $accessible): void {}
    public function getType(): ?ReflectionType {}
    #[real_return] public function getSettableType(): ?ReflectionType {}
    public function hasType(): bool {}
    #[real_return] public function hasDefaultValue(): bool {}
    public function getDefaultValue(): mixed {}
    #[real_return] public function getAttributes(?string $name = null, int $flags = 0): array {}
    #[real_return] public function hasHooks(): bool {}
    #[real_return] public function getHooks(): array {}
    #[real_return] public function hasHook(PropertyHookType $type): bool {}
    #[real_return] public function getHook(PropertyHookType $type): ?ReflectionMethod {}
    #[real_return] public function isFinal(): bool {}
}
