//! `DateTimeInterface`, `DateTime`, `DateTimeImmutable`: declarations and how the objects show themselves.

use super::data;
use super::instant_methods::*;
use crate::format::format;
use crate::moment::Moment;
use phlox_runtime::class::{NativeHooks, Purpose};
use phlox_runtime::{NativeClass, PhpArr, PhpObj, PhpResult, Val, Vm, convert};
use std::cmp::Ordering;

const HOOKS: NativeHooks = NativeHooks {
    create: Some(data::create::<Moment>),
    debug_info: Some(debug_info),
    properties: Some(properties),
    compare: Some(compare),
    ..NativeHooks::NONE
};

pub const CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "DateTimeInterface",
        decl: "interface DateTimeInterface {
            public const string ATOM = 'Y-m-d\\\\TH:i:sP';
            public const string COOKIE = 'l, d-M-Y H:i:s T';
            public const string ISO8601 = 'Y-m-d\\\\TH:i:sO';
            public const string ISO8601_EXPANDED = 'X-m-d\\\\TH:i:sP';
            public const string RFC822 = 'D, d M y H:i:s O';
            public const string RFC850 = 'l, d-M-y H:i:s T';
            public const string RFC1036 = 'D, d M y H:i:s O';
            public const string RFC1123 = 'D, d M Y H:i:s O';
            public const string RFC7231 = 'D, d M Y H:i:s \\\\G\\\\M\\\\T';
            public const string RFC2822 = 'D, d M Y H:i:s O';
            public const string RFC3339 = 'Y-m-d\\\\TH:i:sP';
            public const string RFC3339_EXTENDED = 'Y-m-d\\\\TH:i:s.vP';
            public const string RSS = 'D, d M Y H:i:s O';
            public const string W3C = 'Y-m-d\\\\TH:i:sP';
            public function format(string $format): string;
            public function getTimezone(): DateTimeZone|false;
            public function getOffset(): int;
            public function getTimestamp(): int;
            #[real_return] public function getMicrosecond(): int;
            public function diff(DateTimeInterface $targetObject, bool $absolute = false): DateInterval;
            public function __wakeup(): void;
            #[real_return] public function __serialize(): array;
            #[real_return] public function __unserialize(array $data): void;
        }",
        methods: &[],
        hooks: NativeHooks::NONE,
    },
    NativeClass {
        name: "DateTime",
        decl: "class DateTime implements DateTimeInterface {
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
        }",
        methods: &[
            ("__construct", construct),
            ("__serialize", serialize),
            ("__unserialize", unserialize),
            ("__wakeup", wakeup),
            ("__set_state", set_state),
            ("createFromImmutable", create_from_object),
            ("createFromInterface", create_from_object),
            ("createFromFormat", create_from_format),
            ("createFromTimestamp", create_from_timestamp),
            ("getLastErrors", get_last_errors),
            ("format", format_method),
            ("modify", modify),
            ("add", add),
            ("sub", sub),
            ("getTimezone", get_timezone),
            ("setTimezone", set_timezone),
            ("getOffset", get_offset),
            ("getMicrosecond", get_microsecond),
            ("setTime", set_time),
            ("setDate", set_date),
            ("setISODate", set_iso_date),
            ("setTimestamp", set_timestamp),
            ("setMicrosecond", set_microsecond),
            ("getTimestamp", get_timestamp),
            ("diff", diff),
        ],
        hooks: HOOKS,
    },
    NativeClass {
        name: "DateTimeImmutable",
        decl: "class DateTimeImmutable implements DateTimeInterface {
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
        }",
        methods: &[
            ("__construct", construct),
            ("__serialize", serialize),
            ("__unserialize", unserialize),
            ("__wakeup", wakeup),
            ("__set_state", set_state),
            ("createFromFormat", create_from_format),
            ("createFromTimestamp", create_from_timestamp),
            ("getLastErrors", get_last_errors),
            ("format", format_method),
            ("getTimezone", get_timezone),
            ("getOffset", get_offset),
            ("getTimestamp", get_timestamp),
            ("getMicrosecond", get_microsecond),
            ("diff", diff),
            ("modify", modify),
            ("add", add),
            ("sub", sub),
            ("setTimezone", set_timezone),
            ("setTime", set_time),
            ("setDate", set_date),
            ("setISODate", set_iso_date),
            ("setTimestamp", set_timestamp),
            ("setMicrosecond", set_microsecond),
            ("createFromMutable", create_from_object),
            ("createFromInterface", create_from_object),
        ],
        hooks: HOOKS,
    },
];

/// The three properties that dumps and serialisation show.
pub fn add_properties(moment: &Moment, table: &mut PhpArr) {
    table.set_bytes(b"date", format(b"x-m-d H:i:s.u", moment).into());
    table.set_bytes(b"timezone_type", Val::int(moment.zone.kind()));
    table.set_bytes(b"timezone", moment.zone.name().into());
}

fn debug_info(_vm: &Vm, object: &PhpObj) -> PhpResult<PhpArr> {
    let mut table = convert::object_properties(object);
    if let Some(moment) = data::get::<Moment>(object) {
        add_properties(&moment, &mut table);
    }
    Ok(table)
}

fn properties(vm: &Vm, object: &PhpObj, purpose: Purpose) -> PhpResult<Option<PhpArr>> {
    if purpose == Purpose::ObjectVars {
        return Ok(None);
    }
    debug_info(vm, object).map(Some)
}

fn compare(vm: &Vm, one: &PhpObj, two: &PhpObj) -> PhpResult<Option<Ordering>> {
    match (data::get::<Moment>(one), data::get::<Moment>(two)) {
        (Some(one), Some(two)) => Ok(Some(one.instant().cmp(&two.instant()))),
        _ => {
            let text = b"Trying to compare an incomplete DateTime or DateTimeImmutable object";
            Err(vm.throw_class(b"DateObjectError", text, 0))
        }
    }
}
