<?php
final class SensitiveParameterValue {
    private readonly mixed $value;
    public function __construct(mixed $value) {}
    #[real_return] public function getValue(): mixed {}
    #[real_return] public function __debugInfo(): array {}
}
