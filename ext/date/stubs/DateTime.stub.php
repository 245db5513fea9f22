<?php
class DateTime implements DateTimeInterface {
    public function __construct(string $datetime = 'now', ?DateTimeZone $timezone = null) {}
    #[real_return] public function __serialize(): array {}
    #[real_return] public function __unserialize(array $data): void {}
    public function __wakeup(): void {}
    public static function __set_state(array $array): DateTime {}
    public static function createFromImmutable(DateTimeImmutable $object): static {}
    #[real_return] public static function createFromInterface(DateTimeInterface $object): DateTime {}
    public static function createFromFormat(string $format, string $datetime, ?DateTimeZone $timezone = null): DateTime|false {}
    public static function createFromTimestamp(int|float $timestamp): static {}
    public static function getLastErrors(): array|false {}
    public function format(string $format): string {}
    public function modify(string $modifier): DateTime {}
    public function add(DateInterval $interval): DateTime {}
    public function sub(DateInterval $interval): DateTime {}
    public function getTimezone(): DateTimeZone|false {}
    public function setTimezone(DateTimeZone $timezone): DateTime {}
    public function getOffset(): int {}
    #[real_return] public function getMicrosecond(): int {}
    public function setTime(int $hour, int $minute, int $second = 0, int $microsecond = 0): DateTime {}
    public function setDate(int $year, int $month, int $day): DateTime {}
    public function setISODate(int $year, int $week, int $dayOfWeek = 1): DateTime {}
    public function setTimestamp(int $timestamp): DateTime {}
    #[real_return] public function setMicrosecond(int $microsecond): static {}
    public function getTimestamp(): int {}
    public function diff(DateTimeInterface $targetObject, bool $absolute = false): DateInterval {}
}
