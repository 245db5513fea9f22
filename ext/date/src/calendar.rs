//! Days and seconds: the proleptic Gregorian calendar.

const DAY: i64 = 86_400;

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
        let rest = seconds.rem_euclid(DAY);
        let date = Civil::from_days(seconds.div_euclid(DAY));
        Civil { hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60, ..date }
    }

    /// Midnight of a day counted from 1970-01-01.
    pub fn from_days(days: i64) -> Civil {
        let shifted = days.saturating_add(719_468);
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
            ..Civil::default()
        }
    }

    pub fn seconds(&self) -> i64 {
        let days = self.days() as i128;
        let time = self.hour as i128 * 3600 + self.minute as i128 * 60 + self.second as i128;
        (days * DAY as i128 + time) as i64
    }

    /// Days since 1970-01-01.
    pub fn days(&self) -> i64 {
        days_from_civil(self.year, self.month, self.day)
    }

    /// The same moment with every field in its range.
    pub fn normalized(&self) -> Civil {
        let time = self.hour as i128 * 3600 + self.minute as i128 * 60 + self.second as i128;
        let days = self.days().saturating_add(time.div_euclid(DAY as i128) as i64);
        let date = Civil::from_days(days);
        let rest = time.rem_euclid(DAY as i128) as i64;
        Civil { hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60, ..date }
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

/// Days from the first of January to a weekday (1: Monday) of an ISO week.
pub fn day_of_iso_week(year: i64, week: i64, weekday: i64) -> i64 {
    let first = (days_from_civil(year, 1, 1) + 4).rem_euclid(7);
    let monday = if first > 4 { 7 - first } else { -first };
    week.saturating_sub(1).saturating_mul(7).saturating_add(monday).saturating_add(weekday)
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
