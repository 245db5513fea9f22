//! The functions that correspond to the methods of dates.

use super::data;
use super::instant_methods::*;
use phlox_runtime::{Call, FnDef, PhpResult, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("date_create(string $datetime = 'now', ?DateTimeZone $timezone = null): DateTime|false", date_create),
    FnDef::new(
        "date_create_immutable(string $datetime = 'now', ?DateTimeZone $timezone = null): DateTimeImmutable|false",
        date_create_immutable,
    ),
    FnDef::new(
        "date_create_from_format(string $format, string $datetime, ?DateTimeZone $timezone = null): DateTime|false",
        date_create_from_format,
    ),
    FnDef::new(
        "date_create_immutable_from_format(string $format, string $datetime, ?DateTimeZone $timezone = null): DateTimeImmutable|false",
        date_create_immutable_from_format,
    ),
    FnDef::new("date_get_last_errors(): array|false", get_last_errors),
    FnDef::new("date_format(DateTimeInterface $object, string $format): string", format_method),
    FnDef::new("date_modify(DateTime $object, string $modifier): DateTime|false", modify),
    FnDef::new("date_add(DateTime $object, DateInterval $interval): DateTime", add),
    FnDef::new("date_sub(DateTime $object, DateInterval $interval): DateTime", sub),
    FnDef::new("date_timezone_get(DateTimeInterface $object): DateTimeZone|false", get_timezone),
    FnDef::new("date_timezone_set(DateTime $object, DateTimeZone $timezone): DateTime", set_timezone),
    FnDef::new("date_offset_get(DateTimeInterface $object): int", get_offset),
    FnDef::new(
        "date_diff(DateTimeInterface $baseObject, DateTimeInterface $targetObject, bool $absolute = false): DateInterval",
        diff,
    ),
    FnDef::new(
        "date_time_set(DateTime $object, int $hour, int $minute, int $second = 0, int $microsecond = 0): DateTime",
        set_time,
    ),
    FnDef::new("date_date_set(DateTime $object, int $year, int $month, int $day): DateTime", set_date),
    FnDef::new("date_isodate_set(DateTime $object, int $year, int $week, int $dayOfWeek = 1): DateTime", set_iso_date),
    FnDef::new("date_timestamp_set(DateTime $object, int $timestamp): DateTime", set_timestamp),
    FnDef::new("date_timestamp_get(DateTimeInterface $object): int", get_timestamp),
];

fn create(call: &Call<'_>, class: &[u8]) -> PhpResult<Val> {
    let zone = zone_argument(call, 1)?;
    match from_text(call.vm, &call.str(0), zone) {
        Ok(moment) => Ok(data::instantiate(call.vm, class, moment)?.into()),
        Err(_) => Ok(Val::FALSE),
    }
}

fn date_create(call: &mut Call<'_>) -> PhpResult<Val> {
    create(call, b"DateTime")
}

fn date_create_immutable(call: &mut Call<'_>) -> PhpResult<Val> {
    create(call, b"DateTimeImmutable")
}

fn create_by_format(call: &Call<'_>, class: &[u8]) -> PhpResult<Val> {
    let zone = zone_argument(call, 2)?;
    match from_format(call.vm, &call.str(0), &call.path(1)?, zone) {
        Some(moment) => Ok(data::instantiate(call.vm, class, moment)?.into()),
        None => Ok(Val::FALSE),
    }
}

fn date_create_from_format(call: &mut Call<'_>) -> PhpResult<Val> {
    create_by_format(call, b"DateTime")
}

fn date_create_immutable_from_format(call: &mut Call<'_>) -> PhpResult<Val> {
    create_by_format(call, b"DateTimeImmutable")
}
