<?php
final class Fiber {
    public function __construct(callable $callback) {}
    #[real_return] public function start(#[any_name] mixed ...$args): mixed {}
    #[real_return] public function resume(mixed $value = null): mixed {}
    #[real_return] public function throw(Throwable $exception): mixed {}
    #[real_return] public function isStarted(): bool {}
    #[real_return] public function isSuspended(): bool {}
    #[real_return] public function isRunning(): bool {}
    #[real_return] public function isTerminated(): bool {}
    #[real_return] public function getReturn(): mixed {}
    #[real_return] public static function getCurrent(): ?Fiber {}
    #[real_return] public static function suspend(mixed $value = null): mixed {}
}
