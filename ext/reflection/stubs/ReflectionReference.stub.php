<?php
final class ReflectionReference {
    #[real_return] public static function fromArrayElement(array $array, int|string $key): ?ReflectionReference {}
    #[real_return] public function getId(): string {}
    #[real_return] private function __clone(): void {}
    private function __construct() {}
}
