<?php
class ReflectionFunction extends ReflectionFunctionAbstract {
    public const int IS_DEPRECATED = 2048;
    public function __construct(Closure|string $function) {}
    public function __toString(): string {}
    #[real_return] public function isAnonymous(): bool {}
    #[\Deprecated(since: '8.0', message: 'as ReflectionFunction can no longer be constructed for disabled functions')]
    public function isDisabled(): bool {}
    public function invoke(#[any_name] mixed ...$args): mixed {}
    public function invokeArgs(array $args): mixed {}
    public function getClosure(): Closure {}
}
