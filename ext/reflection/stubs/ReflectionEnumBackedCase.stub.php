<?php
class ReflectionEnumBackedCase extends ReflectionEnumUnitCase {
    public function __construct(object|string $class, string $constant) {}
    #[real_return] public function getBackingValue(): int|string {}
}
