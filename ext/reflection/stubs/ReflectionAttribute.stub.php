<?php
class ReflectionAttribute implements Reflector {
    public const int IS_INSTANCEOF = 2;
    public string $name;
    #[real_return] public function getName(): string {}
    #[real_return] public function getTarget(): int {}
    #[real_return] public function isRepeated(): bool {}
    #[real_return] public function getArguments(): array {}
    #[real_return] public function newInstance(): object {}
    public function __toString(): string {}
    #[real_return] private function __clone(): void {}
    private function __construct() {}
}
