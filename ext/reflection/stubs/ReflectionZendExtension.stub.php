<?php
class ReflectionZendExtension implements Reflector {
    public string $name;
    #[real_return] private function __clone(): void {}
    public function __construct(string $name) {}
    public function __toString(): string {}
    public function getName(): string {}
    public function getVersion(): string {}
    public function getAuthor(): string {}
    public function getURL(): string {}
    public function getCopyright(): string {}
}
