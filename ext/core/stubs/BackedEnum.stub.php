<?php
interface BackedEnum extends UnitEnum {
    #[real_return] public static function from(int|string $value): static;
    #[real_return] public static function tryFrom(int|string $value): ?static;
}
