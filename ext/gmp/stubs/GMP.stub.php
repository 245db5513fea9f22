<?php
final class GMP {
    public function __construct(int|string $num = 0, int $base = 0) {}
    #[real_return] public function __serialize(): array {}
    #[real_return] public function __unserialize(array $data): void {}
}
