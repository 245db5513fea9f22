<?php
class DatePeriod implements IteratorAggregate {
    public const int EXCLUDE_START_DATE = 1;
    public const int INCLUDE_END_DATE = 2;
    #[tacit] public ?DateTimeInterface $start;
    #[tacit] public ?DateTimeInterface $current;
    #[tacit] public ?DateTimeInterface $end;
    #[tacit] public ?DateInterval $interval;
    #[tacit] public int $recurrences;
    #[tacit] public bool $include_start_date;
    #[tacit] public bool $include_end_date;
    #[real_return] public static function createFromISO8601String(string $specification, int $options = 0): static {}
    public function __construct($start, $interval = UNKNOWN, $end = UNKNOWN, $options = UNKNOWN) {}
    public function getStartDate(): DateTimeInterface {}
    public function getEndDate(): ?DateTimeInterface {}
    public function getDateInterval(): DateInterval {}
    public function getRecurrences(): ?int {}
    #[real_return] public function __serialize(): array {}
    #[real_return] public function __unserialize(array $data): void {}
    public function __wakeup(): void {}
    public static function __set_state(array $array): DatePeriod {}
    #[real_return] public function getIterator(): Iterator {}
}
