<?php
class DateInterval {
    public function __construct(string $duration) {}
    public static function createFromDateString(string $datetime): DateInterval {}
    public function format(string $format): string {}
    #[real_return] public function __serialize(): array {}
    #[real_return] public function __unserialize(array $data): void {}
    public function __wakeup(): void {}
    public static function __set_state(array $array): DateInterval {}
}
