<?php
namespace Random\Engine; final class Xoshiro256StarStar implements \Random\Engine {
    public function __construct(string|int|null $seed = null) {}
    #[real_return] public function generate(): string {}
    #[real_return] public function jump(): void {}
    #[real_return] public function jumpLong(): void {}
    #[real_return] public function __serialize(): array {}
    #[real_return] public function __unserialize(array $data): void {}
    #[real_return] public function __debugInfo(): array {}
}
