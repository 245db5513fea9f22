<?php
namespace BcMath; final readonly class Number implements \Stringable {
    public string $value;
    public int $scale;
    public function __construct(string|int $num) {}
    #[real_return] public function add(Number|string|int $num, ?int $scale = null): Number {}
    #[real_return] public function sub(Number|string|int $num, ?int $scale = null): Number {}
    #[real_return] public function mul(Number|string|int $num, ?int $scale = null): Number {}
    #[real_return] public function div(Number|string|int $num, ?int $scale = null): Number {}
    #[real_return] public function mod(Number|string|int $num, ?int $scale = null): Number {}
    #[real_return] public function divmod(Number|string|int $num, ?int $scale = null): array {}
    #[real_return] public function powmod(Number|string|int $exponent, Number|string|int $modulus, ?int $scale = null): Number {}
    #[real_return] public function pow(Number|string|int $exponent, ?int $scale = null): Number {}
    #[real_return] public function sqrt(?int $scale = null): Number {}
    #[real_return] public function floor(): Number {}
    #[real_return] public function ceil(): Number {}
    #[real_return] public function round(int $precision = 0, \RoundingMode $mode = \RoundingMode::HalfAwayFromZero): Number {}
    #[real_return] public function compare(Number|string|int $num, ?int $scale = null): int {}
    public function __toString(): string {}
    #[real_return] public function __serialize(): array {}
    #[real_return] public function __unserialize(array $data): void {}
}
