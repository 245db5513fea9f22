//! Dates and times in descriptions.

/// The last second that is shown as a date: the end of the year 9999.
const LAST: i64 = 0x3a_fff4_87cf;
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const DAY: i64 = 86400;
/// Ticks of Windows' clock in a second.
const TICKS: i64 = 10_000_000;
const BASE_YEAR: i64 = 1601;

/// Days from 1970 to a day of the calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day of the days since 1970.
fn date(days: i64) -> (i64, usize, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month as usize, day)
}

/// A time in the form of C's `asctime`; `None` if the year is too long for it.
fn asctime(seconds: i64) -> Option<String> {
    let (year, month, day) = date(seconds.div_euclid(DAY));
    if !(-999..=9999).contains(&year) {
        return None;
    }
    let weekday = WEEKDAYS[(seconds.div_euclid(DAY) + 4).rem_euclid(7) as usize];
    let rest = seconds.rem_euclid(DAY);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    Some(format!("{weekday} {}{day:3} {hour:02}:{minute:02}:{second:02} {year}", MONTHS[month - 1]))
}

/// Seconds that the system's time zone is ahead of UTC at a time.
fn zone_offset(seconds: i64) -> i64 {
    let text = phlox_process::format_time("%z", seconds);
    let number: i64 = text.parse().unwrap_or(0);
    (number / 100 * 60 + number % 100) * 60
}

fn shown(seconds: i64, zone: i64) -> String {
    let text = if seconds > LAST { None } else { asctime(seconds.saturating_add(zone)) };
    text.unwrap_or_else(|| "*Invalid datetime*".to_owned())
}

/// Seconds since 1970, in UTC.
pub fn utc(seconds: i64) -> String {
    shown(seconds, 0)
}

/// Seconds since 1970, in the system's time zone.
pub fn local(seconds: i64) -> String {
    shown(seconds, if seconds.unsigned_abs() <= LAST as u64 { zone_offset(seconds) } else { 0 })
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn month_lengths(year: i64) -> [i64; 12] {
    [31, 28 + i64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
}

/// Windows' time as seconds since 1970, by libmagic's way of counting, which is not always right by a day.
fn from_windows(ticks: i64) -> i64 {
    let seconds = ticks / TICKS;
    let (second, minute, hour) = (seconds % 60, seconds / 60 % 60, seconds / 3600 % 24);
    let count = seconds / DAY;
    let year = BASE_YEAR + count / 365;
    let before: i64 = (BASE_YEAR..year).map(|year| 365 + i64::from(is_leap(year))).sum();
    let of_year = count - (before - 1);
    let mut day = of_year;
    for length in month_lengths(year) {
        if day < length {
            break;
        }
        day -= length;
    }
    let (mut left, mut month) = (of_year, 0);
    for length in month_lengths(year) {
        left -= length;
        if left <= 0 {
            break;
        }
        month += 1;
    }
    let (year, month) = (year + month / 12, month % 12);
    (days(year, month + 1, 1) + day - 1) * DAY + hour * 3600 + minute * 60 + second
}

/// Windows' time in a rule: ticks since 1601 in the system's time zone, shown in UTC.
pub fn windows(ticks: i64) -> String {
    let local = from_windows(ticks);
    let near = local.unsigned_abs() <= LAST as u64;
    let seconds = if near { local - zone_offset(local - zone_offset(local)) } else { local };
    utc(seconds)
}

/// Windows' time in the properties of a document.
pub fn document(ticks: i64) -> String {
    let seconds = from_windows(ticks);
    let text = if seconds > LAST { None } else { asctime(seconds) };
    text.unwrap_or_else(|| format!("*Bad* {}", format_bad(seconds)))
}

fn format_bad(seconds: i64) -> String {
    let text = format!("0x{seconds:016x}");
    // The C library's buffer has 26 bytes, with the line's end and a NUL.
    text.chars().take(18).collect()
}

/// The length of time that a document was edited.
pub fn elapsed(ticks: i64) -> String {
    let seconds = ticks / TICKS;
    let (second, minute, hour) = (seconds % 60, seconds / 60 % 60, seconds / 3600 % 24);
    let days = (seconds / DAY) as i32;
    let mut text = String::new();
    if days != 0 {
        text.push_str(&format!("{days}d+"));
    }
    if days != 0 || hour != 0 {
        text.push_str(&format!("{hour:02}:"));
    }
    text + &format!("{minute:02}:{second:02}")
}

/// A date of DOS.
pub fn dos_date(bits: u16) -> String {
    let month = usize::from(bits >> 5 & 0xf);
    let name = month.checked_sub(1).and_then(|month| MONTHS.get(month)).unwrap_or(&"?");
    format!("Sun, {name} {:02} {}", bits & 0x1f, 1980 + (bits >> 9))
}

/// A time of DOS.
pub fn dos_time(bits: u16) -> String {
    format!("{:02}:{:02}:{:02}", bits >> 11, bits >> 5 & 0x3f, (bits & 0x1f) * 2)
}
