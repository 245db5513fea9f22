<?php
abstract class ReflectionFunctionAbstract implements Reflector {
    public string $name;
    #[real_return] private function __clone(): void {}
    public function inNamespace(): bool {}
    public function isClosure(): bool {}
    public function isDeprecated(): bool {}
    public function isInternal(): bool {}
    public function isUserDefined(): bool {}
    public function isGenerator(): bool {}
    public function isVariadic(): bool {}
    public function isStatic(): bool {}
    public function getClosureThis(): ?object {}
    public function getClosureScopeClass(): ?ReflectionClass {}
    public function getClosureCalledClass(): ?ReflectionClass {}
    #[real_return] public function getClosureUsedVariables(): array {}
    public function getDocComment(): string|false {}
    public function getEndLine(): int|false {}
    public function getExtension(): ?ReflectionExtension {}
    public function getExtensionName(): string|false {}
    public function getFileName(): string|false {}
    public function getName(): string {}
    public function getNamespaceName(): string {}
    public function getNumberOfParameters(): int {}
    public function getNumberOfRequiredParameters(): int {}
    public function getParameters(): array {}
    public function getShortName(): string {}
    public function getStartLine(): int|false {}
    public function getStaticVariables(): array {}
    public function returnsReference(): bool {}
    public function hasReturnType(): bool {}
    public function getReturnType(): ?ReflectionType {}
    #[real_return] public function hasTentativeReturnType(): bool {}
    #[real_return] public function getTentativeReturnType(): ?ReflectionType {}
    #[real_return] public function getAttributes(?string $name = null, int $flags = 0): array {}
}
