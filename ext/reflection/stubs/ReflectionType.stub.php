<?php
abstract class ReflectionType implements Stringable {
    #[real_return] private function __clone(): void {}
    public function allowsNull(): bool {}
    public function __toString(): string {}
}
