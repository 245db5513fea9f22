//! Days and seconds: the proleptic Gregorian calendar.

const DAY: i64 = 86_400;
/// Number of years after which the calendar repeats.
pub const YEARS_OF_ERA: i64 = 400;
/// Number of days in an era of 400 years.
pub const DAYS_OF_ERA: i64 = 146_097;
/// Days from the first of March of the year 0 to 1970-01-01.
const DAYS_TO_EPOCH: i64 = 719_468;

/// A date and time of day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Civil {
    pub year: i64,
    pub month: i64,
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
}

/// Whether the year has a 29th of February.
pub fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Days of a month (1 to 12) of the year.
pub fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + is_leap(year) as i64,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01 of a date, whose month and day may be out of range. Years whose days 64 bits do not hold give what
/// arithmetic that wraps gives, as timelib does.
pub fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = year.wrapping_add((month - 1).div_euclid(12));
    let month = (month - 1).rem_euclid(12) + 1;
    // Years are counted from March, so that the leap day is the last day.
    let year = year.wrapping_sub((month <= 2) as i64);
    let era = if year >= 0 { year } else { year.wrapping_sub(YEARS_OF_ERA - 1) } / YEARS_OF_ERA;
    let year_of_era = year.wrapping_sub(era * YEARS_OF_ERA);
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5;
    let day_of_era = (year_of_era * 365).wrapping_add(year_of_era / 4 - year_of_era / 100 + day_of_year);
    era.wrapping_mul(DAYS_OF_ERA).wrapping_add(day_of_era - DAYS_TO_EPOCH).wrapping_add(day.wrapping_sub(1))
}

/// A year with the same days of the week, near the epoch.
pub fn year_like(year: i64) -> i64 {
    2000 + year.rem_euclid(YEARS_OF_ERA)
}

impl Civil {
    /// The fields of a number of seconds since 1970-01-01 00:00:00 on the same clock.
    pub fn from_seconds(seconds: i64) -> Civil {
        let rest = seconds.rem_euclid(DAY);
        let date = Civil::from_days(seconds.div_euclid(DAY));
        Civil { hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60, ..date }
    }

    /// Midnight of a day counted from 1970-01-01.
    pub fn from_days(days: i64) -> Civil {
        let shifted = days.wrapping_add(DAYS_TO_EPOCH);
        let era = if shifted >= 0 { shifted } else { shifted.wrapping_sub(DAYS_OF_ERA - 1) } / DAYS_OF_ERA;
        // Unsigned, as in timelib; this matters only for days that result from wrapping.
        let day_of_era = shifted.wrapping_sub(era * DAYS_OF_ERA) as u64;
        let year_of_era = (day_of_era - day_of_era / 1460).wrapping_add(day_of_era / 36_524) - day_of_era / 146_096;
        let year_of_era = year_of_era / 365;
        let day_of_year =
            day_of_era.wrapping_sub((365 * year_of_era).wrapping_add(year_of_era / 4).wrapping_sub(year_of_era / 100));
        let shifted_month = day_of_year.wrapping_mul(5).wrapping_add(2) / 153;
        let day = day_of_year.wrapping_sub(shifted_month.wrapping_mul(153).wrapping_add(2) / 5).wrapping_add(1);
        let month = shifted_month as i64 + if shifted_month < 10 { 3 } else { -9 };
        let year = (year_of_era as i64).wrapping_add(era * YEARS_OF_ERA).wrapping_add((month <= 2) as i64);
        Civil { year, month, day: day as i64, ..Civil::default() }
    }

    /// Seconds from 1970-01-01 00:00 to this moment, without regard to zones. Distant years wrap around.
    pub fn seconds(&self) -> i64 {
        let days = self.days() as i128;
        let time = self.hour as i128 * 3600 + self.minute as i128 * 60 + self.second as i128;
        (days * DAY as i128 + time) as i64
    }

    /// Days since 1970-01-01.
    pub fn days(&self) -> i64 {
        days_from_civil(self.year, self.month, self.day)
    }

    /// This moment with every field in its range: hour 24 becomes hour 0 of the next day.
    pub fn normalized(&self) -> Civil {
        const LARGE: u64 = 1 << 40;
        let Civil { year, month, day, hour, minute, second } = *self;
        if [year, month, day, hour, minute, second].iter().any(|field| field.unsigned_abs() >= LARGE) {
            return crate::wrapping::normalized(*self);
        }
        let time = hour * 3600 + minute * 60 + second;
        let date = Civil::from_days(self.days() + time.div_euclid(DAY));
        let rest = time.rem_euclid(DAY);
        Civil { hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60, ..date }
    }

    /// The day of the week; 0 is Sunday.
    pub fn weekday(&self) -> i64 {
        (days_from_civil(year_like(self.year), self.month, self.day) + 4).rem_euclid(7)
    }

    /// The day of the year; 0 is the first of January.
    pub fn day_of_year(&self) -> i64 {
        let year = year_like(self.year);
        days_from_civil(year, self.month, self.day) - days_from_civil(year, 1, 1)
    }

    /// ISO 8601 year and week.
    pub fn iso_week(&self) -> (i64, i64) {
        let weekday = (self.weekday() + 6) % 7;
        let thursday = days_from_civil(year_like(self.year), self.month, self.day) - weekday + 3;
        let year = Civil::from_seconds(thursday * DAY).year;
        let week = (thursday - days_from_civil(year, 1, 1)) / 7 + 1;
        (self.year.wrapping_add(year - year_like(self.year)), week)
    }
}

/// Days from the first of January to a weekday (1: Monday) of an ISO week.
pub fn day_of_iso_week(year: i64, week: i64, weekday: i64) -> i64 {
    let first = (days_from_civil(year_like(year), 1, 1) + 4).rem_euclid(7);
    let monday = if first > 4 { 7 - first } else { -first };
    week.wrapping_sub(1).wrapping_mul(7).wrapping_add(monday).wrapping_add(weekday)
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
