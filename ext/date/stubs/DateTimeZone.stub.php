<?php
class DateTimeZone {
    public const int AFRICA = 1;
    public const int AMERICA = 2;
    public const int ANTARCTICA = 4;
    public const int ARCTIC = 8;
    public const int ASIA = 16;
    public const int ATLANTIC = 32;
    public const int AUSTRALIA = 64;
    public const int EUROPE = 128;
    public const int INDIAN = 256;
    public const int PACIFIC = 512;
    public const int UTC = 1024;
    public const int ALL = 2047;
    public const int ALL_WITH_BC = 4095;
    public const int PER_COUNTRY = 4096;
    public function __construct(string $timezone) {}
    public function getName(): string {}
    public function getOffset(DateTimeInterface $datetime): int {}
    public function getTransitions(int $timestampBegin = PHP_INT_MIN, int $timestampEnd = PHP_INT_MAX): array|false {}
    public function getLocation(): array|false {}
    public static function listAbbreviations(): array {}
    public static function listIdentifiers(int $timezoneGroup = DateTimeZone::ALL, ?string $countryCode = null): array {}
    #[real_return] public function __serialize(): array {}
    #[real_return] public function __unserialize(array $data): void {}
    public function __wakeup(): void {}
    public static function __set_state(array $array): DateTimeZone {}
}
