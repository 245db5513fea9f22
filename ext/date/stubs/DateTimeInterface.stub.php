<?php
interface DateTimeInterface {
    public const string ATOM = 'Y-m-d\\TH:i:sP';
    public const string COOKIE = 'l, d-M-Y H:i:s T';
    public const string ISO8601 = 'Y-m-d\\TH:i:sO';
    public const string ISO8601_EXPANDED = 'X-m-d\\TH:i:sP';
    public const string RFC822 = 'D, d M y H:i:s O';
    public const string RFC850 = 'l, d-M-y H:i:s T';
    public const string RFC1036 = 'D, d M y H:i:s O';
    public const string RFC1123 = 'D, d M Y H:i:s O';
    public const string RFC7231 = 'D, d M Y H:i:s \\G\\M\\T';
    public const string RFC2822 = 'D, d M Y H:i:s O';
    public const string RFC3339 = 'Y-m-d\\TH:i:sP';
    public const string RFC3339_EXTENDED = 'Y-m-d\\TH:i:s.vP';
    public const string RSS = 'D, d M Y H:i:s O';
    public const string W3C = 'Y-m-d\\TH:i:sP';
    public function format(string $format): string;
    public function getTimezone(): DateTimeZone|false;
    public function getOffset(): int;
    public function getTimestamp(): int;
    #[real_return] public function getMicrosecond(): int;
    public function diff(DateTimeInterface $targetObject, bool $absolute = false): DateInterval;
    public function __wakeup(): void;
    #[real_return] public function __serialize(): array;
    #[real_return] public function __unserialize(array $data): void;
}
