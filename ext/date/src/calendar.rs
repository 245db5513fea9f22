//! Days and seconds: the proleptic Gregorian calendar, and the functions that make timestamps.

use crate::zone::Zone;
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val};
use std::time::{SystemTime, UNIX_EPOCH};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("time(): int", time),
    FnDef::new("checkdate(int $month, int $day, int $year): bool", checkdate),
    FnDef::new(
        "mktime(int $hour, ?int $minute = null, ?int $second = null, ?int $month = null, ?int $day = null, ?int $year = null): int|false",
        mktime,
    ),
    FnDef::new(
        "gmmktime(int $hour, ?int $minute = null, ?int $second = null, ?int $month = null, ?int $day = null, ?int $year = null): int|false",
        gmmktime,
    ),
    FnDef::new("getdate(?int $timestamp = null): array", getdate),
    FnDef::new("localtime(?int $timestamp = null, bool $associative = false): array", localtime),
];

const DAY: i64 = 86_400;

/// A date and time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Civil {
    pub year: i64,
    pub month: i64,
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
}

pub fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

pub fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + is_leap(year) as i64,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01 of a date, whose month and day may be out of range.
pub fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let months = year.saturating_mul(12).saturating_add(month - 1);
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
    // Years are counted from March, so that the leap day is the last day.
    let year = year - (month <= 2) as i64;
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era.saturating_mul(146_097).saturating_add(day_of_era - 719_468).saturating_add(day - 1)
}

impl Civil {
    /// The fields of a count of seconds since 1970-01-01 00:00:00 of the same clock.
    pub fn from_seconds(seconds: i64) -> Civil {
        let (days, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        Civil {
            year: year_of_era + era * 400 + (month <= 2) as i64,
            month,
            day: day_of_year - (153 * shifted_month + 2) / 5 + 1,
            hour: rest / 3600,
            minute: rest / 60 % 60,
            second: rest % 60,
        }
    }

    pub fn seconds(&self) -> i64 {
        let days = days_from_civil(self.year, self.month, self.day);
        let time = self.hour.saturating_mul(3600).saturating_add(self.minute.saturating_mul(60));
        days.saturating_mul(DAY).saturating_add(time).saturating_add(self.second)
    }

    /// 0: Sunday.
    pub fn weekday(&self) -> i64 {
        (days_from_civil(self.year, self.month, self.day) + 4).rem_euclid(7)
    }

    /// 0: the first of January.
    pub fn day_of_year(&self) -> i64 {
        days_from_civil(self.year, self.month, self.day) - days_from_civil(self.year, 1, 1)
    }

    /// ISO 8601 year and week.
    pub fn iso_week(&self) -> (i64, i64) {
        let weekday = (self.weekday() + 6) % 7;
        let thursday = days_from_civil(self.year, self.month, self.day) - weekday + 3;
        let year = Civil::from_seconds(thursday * DAY).year;
        (year, (thursday - days_from_civil(year, 1, 1)) / 7 + 1)
    }
}

pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

fn time(_: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::int(now()))
}

fn checkdate(call: &mut Call<'_>) -> PhpResult<Val> {
    let (month, day, year) = (call.int(0), call.int(1), call.int(2));
    let valid = (1..=32_767).contains(&year) && (1..=12).contains(&month) && day >= 1;
    Ok(Val::bool(valid && day <= days_in_month(year, month)))
}

fn make(call: &Call<'_>, zone: &Zone) -> PhpResult<Val> {
    let (today, _) = zone.civil(now());
    let given = |index: usize, current: i64| call.opt_int(index).unwrap_or(current);
    let year = match call.opt_int(5) {
        Some(year @ 0..=69) => year + 2000,
        Some(year @ 70..=100) => year + 1900,
        Some(year) => year,
        None => today.year,
    };
    let civil = Civil {
        year,
        month: given(3, today.month),
        day: given(4, today.day),
        hour: call.int(0),
        minute: given(1, today.minute),
        second: given(2, today.second),
    };
    Ok(Val::int(zone.timestamp_of(civil.seconds())))
}

fn mktime(call: &mut Call<'_>) -> PhpResult<Val> {
    make(call, &Zone::default(call.vm))
}

fn gmmktime(call: &mut Call<'_>) -> PhpResult<Val> {
    make(call, &Zone::utc())
}

fn getdate(call: &mut Call<'_>) -> PhpResult<Val> {
    let timestamp = call.opt_int(0).unwrap_or_else(now);
    let (civil, _) = Zone::default(call.vm).civil(timestamp);
    let mut array = PhpArr::with_capacity(0);
    let fields = [
        ("seconds", civil.second),
        ("minutes", civil.minute),
        ("hours", civil.hour),
        ("mday", civil.day),
        ("wday", civil.weekday()),
        ("mon", civil.month),
        ("year", civil.year),
        ("yday", civil.day_of_year()),
    ];
    for (name, value) in fields {
        array.set_bytes(name.as_bytes(), Val::int(value));
    }
    array.set_bytes(b"weekday", crate::format::WEEKDAYS[civil.weekday() as usize].into());
    array.set_bytes(b"month", crate::format::MONTHS[civil.month as usize - 1].into());
    let _ = array.insert(phlox_runtime::Key::Int(0), Val::int(timestamp));
    Ok(array.into())
}

fn localtime(call: &mut Call<'_>) -> PhpResult<Val> {
    let (civil, offset) = Zone::default(call.vm).civil(call.opt_int(0).unwrap_or_else(now));
    let fields = [
        ("tm_sec", civil.second),
        ("tm_min", civil.minute),
        ("tm_hour", civil.hour),
        ("tm_mday", civil.day),
        ("tm_mon", civil.month - 1),
        ("tm_year", civil.year - 1900),
        ("tm_wday", civil.weekday()),
        ("tm_yday", civil.day_of_year()),
        ("tm_isdst", offset.daylight_saving as i64),
    ];
    let mut array = PhpArr::new();
    for (name, value) in fields {
        if call.bool(1) {
            array.set_bytes(name.as_bytes(), Val::int(value));
        } else {
            let _ = array.push(Val::int(value));
        }
    }
    Ok(array.into())
}

#[cfg(test)]
mod tests {
    use super::Civil;

    #[test]
    fn seconds_and_fields_agree() {
        for seconds in (-100_000_000_000i64..100_000_000_000).step_by(987_654_321) {
            assert_eq!(Civil::from_seconds(seconds).seconds(), seconds);
        }
        let civil = Civil::from_seconds(1_709_210_096);
        assert_eq!((civil.year, civil.month, civil.day, civil.weekday()), (2024, 2, 29, 4));
        assert_eq!(civil.iso_week(), (2024, 9));
    }
}
