//! Times as DOS writes them: the system's local time, in steps of two seconds, from 1980 on.

/// A time and a date in DOS's form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DosTime {
    pub time: u16,
    pub date: u16,
}

/// The time of everything in a torrentzip archive.
pub const TORRENTZIP: DosTime = DosTime { time: 0xbc00, date: 0x2198 };

const DAY: i64 = 86_400;

/// Days from 1970 to a day of the calendar; months may be out of range.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = (year + (month - 1).div_euclid(12), (month - 1).rem_euclid(12) + 1);
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let of_year = (153 * month + 2) / 5 + day - 1;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year - 719_468
}

/// Seconds that the system's time zone is ahead of UTC at a time.
fn zone_offset(seconds: i64) -> i64 {
    let number: i64 = phlox_process::format_time("%z", seconds).parse().unwrap_or(0);
    (number / 100 * 60 + number % 100) * 60
}

impl DosTime {
    /// The time, in seconds since 1970. `None`: it has no calendar date.
    pub fn from_unix(seconds: i64) -> Option<DosTime> {
        let text = phlox_process::format_time("%Y %m %d %H %M %S", seconds);
        let mut parts = text.split(' ').map(|part| part.parse::<i64>().ok());
        let mut next = || parts.next().flatten();
        let (year, month, day) = (next()?, next()?, next()?);
        let (hour, minute, second) = (next()?, next()?, next()?);
        let date = (year.max(1980) - 1980) << 9 | month << 5 | day;
        let time = hour << 11 | minute << 5 | second >> 1;
        Some(DosTime { time: time as u16, date: date as u16 })
    }

    /// Seconds since 1970.
    pub fn to_unix(self) -> i64 {
        let (date, time) = (i64::from(self.date), i64::from(self.time));
        let days = days((date >> 9 & 127) + 1980, date >> 5 & 15, date & 31);
        let local = days * DAY + (time >> 11 & 31) * 3600 + (time >> 5 & 63) * 60 + (time << 1 & 62);
        let near = local - zone_offset(local);
        local - zone_offset(near)
    }
}

/// The time now, in seconds since 1970.
pub fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_go_there_and_back() {
        for seconds in [315_532_800, 951_827_696, 1_700_000_000, 4_000_000_000] {
            let dos = DosTime::from_unix(seconds);
            assert_eq!(dos.map(DosTime::to_unix), Some(seconds));
        }
    }

    #[test]
    fn dates_that_do_not_exist_are_counted_on() {
        assert_eq!(days(1980, 0, 0), days(1979, 11, 30));
        assert_eq!(days(1980, 13, 1), days(1981, 1, 1));
    }
}
