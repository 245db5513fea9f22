<?php
class ReflectionClassConstant implements Reflector {
    public const int IS_PUBLIC = 1;
    public const int IS_PROTECTED = 2;
    public const int IS_PRIVATE = 4;
    public const int IS_FINAL = 32;
    public string $name;
    public string $class;
    #[real_return] private function __clone(): void {}
    public function __construct(object|string $class, string $constant) {}
    public function __toString(): string {}
    public function getName(): string {}
    public function getValue(): mixed {}
    public function isPublic(): bool {}
    public function isPrivate(): bool {}
    public function isProtected(): bool {}
    #[real_return] public function isFinal(): bool {}
    public function getModifiers(): int {}
    public function getDeclaringClass(): ReflectionClass {}
    public function getDocComment(): string|false {}
    #[real_return] public function getAttributes(?string $name = null, int $flags = 0): array {}
    #[real_return] public function isEnumCase(): bool {}
    #[real_return] public function isDeprecated(): bool {}
    #[real_return] public function hasType(): bool {}
    #[real_return] public function getType(): ?ReflectionType {}
}
