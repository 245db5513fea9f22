<?php
final class ReflectionConstant implements Reflector {
    public string $name;
    public function __construct(string $name) {}
    #[real_return] public function getName(): string {}
    #[real_return] public function getNamespaceName(): string {}
    #[real_return] public function getShortName(): string {}
    #[real_return] public function getValue(): mixed {}
    #[real_return] public function isDeprecated(): bool {}
    public function __toString(): string {}
}
