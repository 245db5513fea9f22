//! Days and their dates in the Gregorian and the Julian calendar. Days count from 1970-01-01.

use crate::days::{civil, days_of};

/// A calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calendar {
    Gregorian,
    Julian,
}

/// A year, a month from 1 and a day from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Date {
    /// The year; 0 is the year before the year 1.
    pub year: i32,
    /// The month, from 1.
    pub month: i32,
    /// The day of the month, from 1.
    pub day: i32,
}

impl Calendar {
    /// The day of a date, whose month and day may be out of their ranges.
    pub fn day(self, date: Date) -> i64 {
        let months = i64::from(date.year) * 12 + i64::from(date.month) - 1;
        let (year, month) = (months.div_euclid(12), months.rem_euclid(12) as i32 + 1);
        let first = match self {
            Calendar::Gregorian => days_of(year as i32, month, 1),
            Calendar::Julian => {
                // The computation for the Gregorian calendar with a leap year in every fourth year.
                let year = year - i64::from(month <= 2);
                let month = i64::from(month + 9) % 12;
                year * 365 + year.div_euclid(4) + (month * 153 + 2) / 5 - 719_470
            }
        };
        first + i64::from(date.day) - 1
    }

    /// The date of a day.
    pub fn date(self, day: i64) -> Date {
        let (year, month, day) = match self {
            Calendar::Gregorian => civil(day),
            Calendar::Julian => {
                let days = day + 719_470;
                let cycle = days.div_euclid(1461);
                let of_cycle = days.rem_euclid(1461);
                let year = (of_cycle - of_cycle / 1460) / 365;
                let of_year = of_cycle - 365 * year;
                let month = (5 * of_year + 2) / 153;
                let day = (of_year - (153 * month + 2) / 5 + 1) as i32;
                let month = if month < 10 { month + 3 } else { month - 9 };
                ((year + cycle * 4 + i64::from(month <= 2)) as i32, month as i32, day)
            }
        };
        Date { year, month, day }
    }
}

/// Day of the week, Sunday 0 to Saturday 6.
pub fn weekday(day: i64) -> i32 {
    (day + 4).rem_euclid(7) as i32
}

/// Day of the week, Monday 1 to Sunday 7.
pub fn iso_weekday(day: i64) -> i32 {
    (day + 3).rem_euclid(7) as i32 + 1
}

/// The year, week and weekday that ISO 8601 gives a day: a week belongs to the year of its Thursday.
pub fn iso_week(day: i64) -> (i32, i32, i32) {
    let of_week = iso_weekday(day);
    let thursday = day + i64::from(4 - of_week);
    let year = civil(thursday).0;
    (year, ((thursday - days_of(year, 1, 1)) / 7) as i32 + 1, of_week)
}

/// The number of a week that begins on a weekday (Sunday 0), where days before the first such day are in week 0.
pub fn week_number(day: i64, begins: i32) -> i32 {
    let first = days_of(civil(day).0, 1, 1);
    let week_begin = i64::from((begins - weekday(first)).rem_euclid(7));
    (day - first - week_begin).div_euclid(7) as i32 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_julian_calendar_is_behind() {
        let day = days_of(1582, 10, 15);
        assert_eq!(Calendar::Julian.date(day), Date { year: 1582, month: 10, day: 5 });
        assert_eq!(Calendar::Julian.day(Date { year: 1582, month: 10, day: 5 }), day);
    }
}
