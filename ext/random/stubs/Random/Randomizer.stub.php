<?php
namespace Random; final class Randomizer {
    public readonly Engine $engine;
    public function __construct(?Engine $engine = null) {}
    #[real_return] public function nextInt(): int {}
    #[real_return] public function nextFloat(): float {}
    #[real_return] public function getFloat(float $min, float $max, IntervalBoundary $boundary = IntervalBoundary::ClosedOpen): float {}
    #[real_return] public function getInt(int $min, int $max): int {}
    #[real_return] public function getBytes(int $length): string {}
    #[real_return] public function getBytesFromString(string $string, int $length): string {}
    #[real_return] public function shuffleArray(array $array): array {}
    #[real_return] public function shuffleBytes(string $bytes): string {}
    #[real_return] public function pickArrayKeys(array $array, int $num): array {}
    #[real_return] public function __serialize(): array {}
    #[real_return] public function __unserialize(array $data): void {}
}
