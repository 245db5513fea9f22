<?php
class ReflectionMethod extends ReflectionFunctionAbstract {
    public const int IS_STATIC = 16;
    public const int IS_PUBLIC = 1;
    public const int IS_PROTECTED = 2;
    public const int IS_PRIVATE = 4;
    public const int IS_ABSTRACT = 64;
    public const int IS_FINAL = 32;
    public string $class;
    public function __construct(object|string $objectOrMethod, ?string $method = null) {}
    #[real_return] public static function createFromMethodName(string $method): static {}
    public function __toString(): string {}
    public function isPublic(): bool {}
    public function isPrivate(): bool {}
    public function isProtected(): bool {}
    public function isAbstract(): bool {}
    public function isFinal(): bool {}
    public function isConstructor(): bool {}
    public function isDestructor(): bool {}
    public function getClosure(?object $object = null): Closure {}
    public function getModifiers(): int {}
    public function invoke(#[unchecked] ?object $object, #[any_name] mixed ...$args): mixed {}
    public function invokeArgs(?object $object, array $args): mixed {}
    public function getDeclaringClass(): ReflectionClass {}
    public function getPrototype(): ReflectionMethod {}
    #[real_return] public function hasPrototype(): bool {}
    public function setAccessible(bool $accessible): void {}
}
