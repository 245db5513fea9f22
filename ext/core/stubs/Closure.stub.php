<?php
final class Closure {
    private function __construct() {}
    #[real_return] public static function bind(
        Closure $closure,
        ?object $newThis,
        object|string|null $newScope = "static"
    ): ?Closure {}
    #[real_return] public function bindTo(?object $newThis, object|string|null $newScope = "static"): ?Closure {}
    #[real_return] public function call(object $newThis, #[any_name] mixed ...$args): mixed {}
    #[real_return] public static function fromCallable(#[unchecked] callable $callback): Closure {}
}
