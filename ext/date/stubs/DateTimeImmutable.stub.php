<?php
class DateTimeImmutable implements DateTimeInterface {
    public function __construct(string $datetime = 'now', ?DateTimeZone $timezone = null) {}
    #[real_return] public function __serialize(): array {}
    #[real_return] public function __unserialize(array $data): void {}
    public function __wakeup(): void {}
    public static function __set_state(array $array): DateTimeImmutable {}
    public static function createFromFormat(string $format, string $datetime, ?DateTimeZone $timezone = null): DateTimeImmutable|false {}
    public static function createFromTimestamp(int|float $timestamp): static {}
    public static function getLastErrors(): array|false {}
    public function format(string $format): string {}
    public function getTimezone(): DateTimeZone|false {}
    public function getOffset(): int {}
    public function getTimestamp(): int {}
    #[real_return] public function getMicrosecond(): int {}
    public function diff(DateTimeInterface $targetObject, bool $absolute = false): DateInterval {}
    public function modify(string $modifier): DateTimeImmutable {}
    public function add(DateInterval $interval): DateTimeImmutable {}
    public function sub(DateInterval $interval): DateTimeImmutable {}
    public function setTimezone(DateTimeZone $timezone): DateTimeImmutable {}
    public function setTime(int $hour, int $minute, int $second = 0, int $microsecond = 0): DateTimeImmutable {}
    public function setDate(int $year, int $month, int $day): DateTimeImmutable {}
    public function setISODate(int $year, int $week, int $dayOfWeek = 1): DateTimeImmutable {}
    public function setTimestamp(int $timestamp): DateTimeImmutable {}
    #[real_return] public function setMicrosecond(int $microsecond): static {}
    public static function createFromMutable(DateTime $object): static {}
    #[real_return] public static function createFromInterface(DateTimeInterface $object): DateTimeImmutable {}
}
