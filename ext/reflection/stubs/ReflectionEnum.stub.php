<?php
class ReflectionEnum extends ReflectionClass {
    public function __construct(object|string $objectOrClass) {}
    #[real_return] public function hasCase(string $name): bool {}
    #[real_return] public function getCase(string $name): ReflectionEnumUnitCase {}
    #[real_return] public function getCases(): array {}
    #[real_return] public function isBacked(): bool {}
    #[real_return] public function getBackingType(): ?ReflectionNamedType {}
}
