<?php
final class Generator implements Iterator {
    #[real_return] public function rewind(): void {}
    #[real_return] public function valid(): bool {}
    #[real_return] public function current(): mixed {}
    #[real_return] public function key(): mixed {}
    #[real_return] public function next(): void {}
    #[real_return] public function send(mixed $value): mixed {}
    #[real_return] public function throw(Throwable $exception): mixed {}
    #[real_return] public function getReturn(): mixed {}
    #[real_return] public function __debugInfo(): array {}
}
