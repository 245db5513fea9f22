<?php
class ReflectionNamedType extends ReflectionType {
    public function getName(): string {}
    public function isBuiltin(): bool {}
}
