//! Days of the calendars as Julian day numbers. Day 0 and the date 0/0/0 stand for what is out of range.

/// A date; all zero: there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Date {
    pub year: i64,
    pub month: i64,
    pub day: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calendar {
    Gregorian,
    Julian,
    Jewish,
    French,
}

const YEAR_MAX: i64 = i32::MAX as i64;
const GREGORIAN_OFFSET: i64 = 32_045;
const JULIAN_OFFSET: i64 = 32_083;
const FRENCH_OFFSET: i64 = 2_375_474;
/// The French calendar was in use from its year 1 to its year 14.
const FRENCH_DAYS: std::ops::RangeInclusive<i64> = 2_375_840..=2_380_952;
/// The day before the first of the Jewish calendar.
const JEWISH_OFFSET: i64 = 347_997;
const JEWISH_LAST: i64 = 324_542_846;
/// Days of four years, and of five months counted from March.
const FOUR_YEARS: i64 = 1461;
const FIVE_MONTHS: i64 = 153;
const FOUR_CENTURIES: i64 = 146_097;

impl Calendar {
    pub fn of(number: i64) -> Option<Calendar> {
        Some(match number {
            0 => Calendar::Gregorian,
            1 => Calendar::Julian,
            2 => Calendar::Jewish,
            3 => Calendar::French,
            _ => return None,
        })
    }

    pub fn to_day(self, date: Date) -> i64 {
        match self {
            Calendar::Gregorian => gregorian_to_day(date),
            Calendar::Julian => julian_to_day(date),
            Calendar::Jewish => jewish_to_day(date),
            Calendar::French => french_to_day(date),
        }
    }

    pub fn to_date(self, day: i64) -> Date {
        match self {
            Calendar::Gregorian => gregorian_to_date(day),
            Calendar::Julian => julian_to_date(day),
            Calendar::Jewish => jewish_to_date(day),
            Calendar::French => french_to_date(day),
        }
    }
}

/// Years counted from 4801 BC, and months from March.
fn shifted(date: Date) -> Option<(i64, i64)> {
    let valid = date.year != 0
        && date.year <= YEAR_MAX - 4800
        && (1..=12).contains(&date.month)
        && (1..=31).contains(&date.day);
    if !valid {
        return None;
    }
    let year = date.year + if date.year < 0 { 4801 } else { 4800 };
    Some(if date.month > 2 { (year, date.month - 3) } else { (year - 1, date.month + 9) })
}

/// The inverse, with the day of the year from 1.
fn unshifted(year: i64, day_of_year: i64) -> Date {
    let rest = day_of_year * 5 - 3;
    let (month, day) = (rest / FIVE_MONTHS, rest % FIVE_MONTHS / 5 + 1);
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    let year = year - 4800;
    Date { year: if year <= 0 { year - 1 } else { year }, month, day }
}

fn gregorian_to_day(date: Date) -> i64 {
    let Date { year, month, day } = date;
    if year < -4714 || (year == -4714 && (month < 11 || (month == 11 && day < 25))) {
        return 0;
    }
    let Some((year, month)) = shifted(date) else { return 0 };
    year / 100 * FOUR_CENTURIES / 4 + year % 100 * FOUR_YEARS / 4 + (month * FIVE_MONTHS + 2) / 5 + day
        - GREGORIAN_OFFSET
}

fn gregorian_to_date(day: i64) -> Date {
    if day <= 0 || day > (i64::MAX - 4 * GREGORIAN_OFFSET) / 4 {
        return Date::default();
    }
    let quarters = (day + GREGORIAN_OFFSET) * 4 - 1;
    let century = quarters / FOUR_CENTURIES;
    let rest = quarters % FOUR_CENTURIES / 4 * 4 + 3;
    if century > YEAR_MAX || century > YEAR_MAX / 100 - rest / FOUR_YEARS {
        return Date::default();
    }
    unshifted(century * 100 + rest / FOUR_YEARS, rest % FOUR_YEARS / 4 + 1)
}

fn julian_to_day(date: Date) -> i64 {
    let Date { year, month, day } = date;
    if year < -4713 || (year == -4713 && month == 1 && day == 1) {
        return 0;
    }
    let Some((year, month)) = shifted(date) else { return 0 };
    year * FOUR_YEARS / 4 + (month * FIVE_MONTHS + 2) / 5 + day - JULIAN_OFFSET
}

fn julian_to_date(day: i64) -> Date {
    if day <= 0 || day > (i64::MAX - JULIAN_OFFSET * 4 + 1) / 4 {
        return Date::default();
    }
    let quarters = day * 4 + (JULIAN_OFFSET * 4 - 1);
    let year = quarters / FOUR_YEARS;
    if year > YEAR_MAX {
        return Date::default();
    }
    unshifted(year, quarters % FOUR_YEARS / 4 + 1)
}

fn french_to_day(date: Date) -> i64 {
    let valid = (1..=14).contains(&date.year) && (1..=13).contains(&date.month) && (1..=30).contains(&date.day);
    if !valid {
        return 0;
    }
    date.year * FOUR_YEARS / 4 + (date.month - 1) * 30 + date.day + FRENCH_OFFSET
}

fn french_to_date(day: i64) -> Date {
    if !FRENCH_DAYS.contains(&day) {
        return Date::default();
    }
    let quarters = (day - FRENCH_OFFSET) * 4 - 1;
    let day_of_year = quarters % FOUR_YEARS / 4;
    Date { year: quarters / FOUR_YEARS, month: day_of_year / 30 + 1, day: day_of_year % 30 + 1 }
}

/// Has the Jewish year thirteen months?
pub fn is_jewish_leap(year: i64) -> bool {
    (7 * year + 1) % 19 < 7
}

/// Days from the beginning of the Jewish calendar to the new moon of a year, put off where it falls on a day that a
/// year must not begin with. A month has 29 days, 12 hours and 793 parts of an hour of 1080.
fn elapsed(year: i64) -> i64 {
    let months = (235 * year - 234) / 19;
    let parts = 12_084 + 13_753 * months;
    let day = 29 * months + parts / 25_920;
    day + (3 * (day + 1) % 7 < 3) as i64
}

/// The first day of a Jewish year: put off again where a year would become too long or too short.
fn jewish_new_year(year: i64) -> i64 {
    let (last, this, next) = (elapsed(year - 1), elapsed(year), elapsed(year + 1));
    let delay = match () {
        () if next - this == 356 => 2,
        () if this - last == 382 => 1,
        () => 0,
    };
    JEWISH_OFFSET + 1 + this + delay
}

/// Lengths of the months of a Jewish year; the sixth is missing in common years.
fn jewish_months(year: i64) -> [i64; 13] {
    let length = jewish_new_year(year + 1) - jewish_new_year(year);
    let heshvan = if length % 10 == 5 { 30 } else { 29 };
    let kislev = if length % 10 == 3 { 29 } else { 30 };
    let adar = if is_jewish_leap(year) { 30 } else { 0 };
    [30, heshvan, kislev, 29, 30, adar, 29, 30, 29, 30, 29, 30, 29]
}

fn jewish_to_day(date: Date) -> i64 {
    let Date { year, month, day } = date;
    if year <= 0 || year >= YEAR_MAX - 1 || day <= 0 || day > 30 || !(1..=13).contains(&month) {
        return 0;
    }
    // Adar I of a common year means Adar.
    let month = if month == 6 && !is_jewish_leap(year) { 7 } else { month };
    let before: i64 = jewish_months(year)[..month as usize - 1].iter().sum();
    jewish_new_year(year) + before + day - 1
}

fn jewish_to_date(day: i64) -> Date {
    if day <= JEWISH_OFFSET || day > JEWISH_LAST {
        return Date::default();
    }
    let mut year = (day - JEWISH_OFFSET) * 98_496 / 35_975_351 + 1;
    while jewish_new_year(year) > day {
        year -= 1;
    }
    while jewish_new_year(year + 1) <= day {
        year += 1;
    }
    let mut rest = day - jewish_new_year(year);
    for (month, length) in (1..).zip(jewish_months(year)) {
        if rest < length {
            return Date { year, month, day: rest + 1 };
        }
        rest -= length;
    }
    Date::default()
}

/// 0: Sunday
pub fn day_of_week(day: i64) -> i64 {
    (day % 7 + 8) % 7
}

#[cfg(test)]
mod tests {
    use super::{Calendar, Date};

    #[test]
    fn days_and_dates_agree() {
        for calendar in [Calendar::Gregorian, Calendar::Julian, Calendar::Jewish, Calendar::French] {
            for day in (347_998..2_500_000).step_by(97) {
                let date = calendar.to_date(day);
                assert!(date == Date::default() || calendar.to_day(date) == day, "{calendar:?} {day} {date:?}");
            }
        }
        assert_eq!(Calendar::Jewish.to_date(2_450_540), Date { year: 5757, month: 7, day: 23 });
    }
}
