//! Days since 1970 and dates of the Gregorian calendar.

/// Days since 1970 of a date of the Gregorian calendar.
pub fn days_of(year: i32, month: i32, day: i32) -> i64 {
    // Counted from 1 March of a year 0, so that leap days come last.
    let year = i64::from(year) - i64::from(month <= 2);
    let month = i64::from(month + 9) % 12;
    year * 365 + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (month * 153 + 2) / 5
        + i64::from(day)
        - 1
        - 719_468
}

/// The date of a number of days since 1970.
pub fn civil(days: i64) -> (i32, i32, i32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    ((year_of_era + era * 400 + i64::from(month <= 2)) as i32, month as i32, day as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_go_both_ways() {
        for days in [-800_000, -1, 0, 59, 60, 11_016, 19_782, 900_000] {
            let (year, month, day) = civil(days);
            assert_eq!(days_of(year, month, day), days);
        }
        assert_eq!(civil(19_782), (2024, 2, 29));
    }
}
