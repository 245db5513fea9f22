<?php
class ReflectionClass implements Reflector {
    public const int IS_IMPLICIT_ABSTRACT = 16;
    public const int IS_EXPLICIT_ABSTRACT = 64;
    public const int IS_FINAL = 32;
    public const int IS_READONLY = 65536;
    public const int SKIP_INITIALIZATION_ON_SERIALIZE = 8;
    public const int SKIP_DESTRUCTOR = 16;
    public string $name;
    #[real_return] private function __clone(): void {}
    public function __construct(object|string $objectOrClass) {}
    public function __toString(): string {}
    public function getName(): string {}
    public function isInternal(): bool {}
    public function isUserDefined(): bool {}
    public function isAnonymous(): bool {}
    public function isInstantiable(): bool {}
    public function isCloneable(): bool {}
    public function getFileName(): string|false {}
    public function getStartLine(): int|false {}
    public function getEndLine(): int|false {}
    public function getDocComment(): string|false {}
    public function getConstructor(): ?ReflectionMethod {}
    public function hasMethod(string $name): bool {}
    public function getMethod(string $name): ReflectionMethod {}
    public function getMethods(?int $filter = null): array {}
    public function hasProperty(string $name): bool {}
    public function getProperty(string $name): ReflectionProperty {}
    public function getProperties(?int $filter = null): array {}
    public function hasConstant(string $name): bool {}
    public function getConstants(?int $filter = null): array {}
    public function getReflectionConstants(?int $filter = null): array {}
    public function getConstant(string $name): mixed {}
    public function getReflectionConstant(string $name): ReflectionClassConstant|false {}
    public function getInterfaces(): array {}
    public function getInterfaceNames(): array {}
    public function isInterface(): bool {}
    public function getTraits(): array {}
    public function getTraitNames(): array {}
    public function getTraitAliases(): array {}
    public function isTrait(): bool {}
    #[real_return] public function isEnum(): bool {}
    public function isAbstract(): bool {}
    public function isFinal(): bool {}
    #[real_return] public function isReadOnly(): bool {}
    public function getModifiers(): int {}
    public function isInstance(object $object): bool {}
    public function newInstance(#[any_name] mixed ...$args): object {}
    public function newInstanceWithoutConstructor(): object {}
    public function newInstanceArgs(array $args = []): ?object {}
    #[real_return] public function newLazyGhost(callable $initializer, int $options = 0): object {}
    #[real_return] public function newLazyProxy(callable $factory, int $options = 0): object {}
    #[real_return]
    public function resetAsLazyGhost(#[unchecked] object $object, callable $initializer, int $options = 0): void {}
    #[real_return]
    public function resetAsLazyProxy(#[unchecked] object $object, callable $factory, int $options = 0): void {}
    #[real_return] public function initializeLazyObject(#[unchecked] object $object): object {}
    #[real_return] public function isUninitializedLazyObject(#[unchecked] object $object): bool {}
    #[real_return] public function markLazyObjectAsInitialized(#[unchecked] object $object): object {}
    #[real_return] public function getLazyInitializer(#[unchecked] object $object): ?callable {}
    public function getParentClass(): ReflectionClass|false {}
    public function isSubclassOf(ReflectionClass|string $class): bool {}
    public function getStaticProperties(): array {}
    public function getStaticPropertyValue(string $name, mixed $default = UNKNOWN): mixed {}
    public function setStaticPropertyValue(string $name, mixed $value): void {}
    public function getDefaultProperties(): array {}
    public function isIterable(): bool {}
    public function isIterateable(): bool {}
    public function implementsInterface(ReflectionClass|string $interface): bool {}
    public function getExtension(): ?ReflectionExtension {}
    public function getExtensionName(): string|false {}
    public function inNamespace(): bool {}
    public function getNamespaceName(): string {}
    public function getShortName(): string {}
    #[real_return] public function getAttributes(?string $name = null, int $flags = 0): array {}
}
