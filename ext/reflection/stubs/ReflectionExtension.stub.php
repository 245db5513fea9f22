<?php
class ReflectionExtension implements Reflector {
    public string $name;
    #[real_return] private function __clone(): void {}
    public function __construct(string $name) {}
    public function __toString(): string {}
    public function getName(): string {}
    public function getVersion(): ?string {}
    public function getFunctions(): array {}
    public function getConstants(): array {}
    public function getINIEntries(): array {}
    public function getClasses(): array {}
    public function getClassNames(): array {}
    public function getDependencies(): array {}
    public function info(): void {}
    public function isPersistent(): bool {}
    public function isTemporary(): bool {}
}
