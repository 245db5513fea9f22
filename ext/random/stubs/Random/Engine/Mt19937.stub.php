<?php
namespace Random\Engine; final class Mt19937 implements \Random\Engine {
    public function __construct(?int $seed = null, int $mode = \MT_RAND_MT19937) {}
    #[real_return] public function generate(): string {}
    #[real_return] public function __serialize(): array {}
    #[real_return] public function __unserialize(array $data): void {}
    #[real_return] public function __debugInfo(): array {}
}
