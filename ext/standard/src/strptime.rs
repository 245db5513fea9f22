//! `strptime`: reads a date by the format that `strftime` would write it with, as the GNU C library does in the C locale.

use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val};

pub const FUNCTIONS: &[FnDef] = &[FnDef::new(
    "#[\\Deprecated(since: '8.2', message: 'use date_parse_from_format() (for locale-independent parsing), or IntlDateFormatter::parse() (for locale-dependent parsing) instead')] strptime(string $timestamp, string $format): array|false",
    strptime,
)];

const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// C's `struct tm`, and what of it is known.
#[derive(Default)]
struct Time {
    second: i64,
    minute: i64,
    hour: i64,
    day: i64,
    month: i64,
    /// Years since 1900.
    year: i64,
    weekday: i64,
    day_of_year: i64,
    has_weekday: bool,
    has_day_of_year: bool,
    has_month: bool,
    has_day: bool,
    /// The hour is of twelve.
    of_twelve: bool,
    afternoon: bool,
    century: Option<i64>,
    has_short_year: bool,
    /// The days are computed from the date.
    completes: bool,
    /// Weeks since the first Sunday, or the first Monday.
    week: Option<(i64, i64)>,
}

struct Reader<'a> {
    text: &'a [u8],
    time: Time,
}

fn strptime(call: &mut Call<'_>) -> PhpResult<Val> {
    let (text, format) = (call.str(0), call.str(1));
    // C's strings end at the first zero.
    let until_zero = |text: &[u8]| text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    let mut reader = Reader { text: &text[..until_zero(&text)], time: Time::default() };
    if reader.read(&format[..until_zero(&format)]).is_none() {
        return Ok(Val::FALSE);
    }
    reader.time.complete();
    let time = &reader.time;
    let mut parts = PhpArr::new();
    for (name, value) in [
        ("tm_sec", time.second),
        ("tm_min", time.minute),
        ("tm_hour", time.hour),
        ("tm_mday", time.day),
        ("tm_mon", time.month),
        ("tm_year", time.year),
        ("tm_wday", time.weekday),
        ("tm_yday", time.day_of_year),
    ] {
        parts.set_bytes(name.as_bytes(), Val::int(value));
    }
    parts.set_bytes(b"unparsed", Val::str(reader.text));
    Ok(parts.into())
}

impl Reader<'_> {
    fn skip_space(&mut self) {
        self.text = self.text.trim_ascii_start();
    }

    /// A number of at most so many digits in a range, perhaps behind spaces.
    fn number(&mut self, from: i64, to: i64, digits: usize) -> Option<i64> {
        while let [b' ', rest @ ..] = self.text {
            self.text = rest;
        }
        let mut value = 0;
        for read in 0..digits {
            let Some(digit) = self.text.first().filter(|byte| byte.is_ascii_digit()) else {
                if read == 0 {
                    return None;
                }
                break;
            };
            value = value * 10 + i64::from(digit - b'0');
            self.text = &self.text[1..];
            if value * 10 > to {
                break;
            }
        }
        (from..=to).contains(&value).then_some(value)
    }

    /// A name in full or its first three letters.
    fn name(&mut self, names: &[&str]) -> Option<i64> {
        for (index, name) in names.iter().enumerate() {
            for length in [name.len(), 3] {
                if self.text.get(..length).is_some_and(|start| start.eq_ignore_ascii_case(&name.as_bytes()[..length])) {
                    self.text = &self.text[length..];
                    return Some(index as i64);
                }
            }
        }
        None
    }

    fn read(&mut self, format: &[u8]) -> Option<()> {
        let mut format = format;
        while let [first, rest @ ..] = format {
            format = rest;
            if first.is_ascii_whitespace() || *first == b'\x0b' {
                self.skip_space();
                continue;
            }
            if *first != b'%' {
                self.text = self.text.strip_prefix(&[*first])?;
                continue;
            }
            let (mut letter, mut rest) = format.split_first()?;
            // Flags of `strftime` for padding and case have no effect on reading.
            while matches!(letter, b'-' | b'_' | b'0' | b'^' | b'#') {
                (letter, rest) = rest.split_first()?;
            }
            if matches!(letter, b'E' | b'O') {
                (letter, rest) = rest.split_first()?;
            }
            format = rest;
            self.item(*letter)?;
        }
        Some(())
    }

    fn item(&mut self, letter: u8) -> Option<()> {
        match letter {
            b'%' => self.text = self.text.strip_prefix(b"%")?,
            b'a' | b'A' => {
                self.time.weekday = self.name(&DAYS)?;
                self.time.has_weekday = true;
            }
            b'b' | b'B' | b'h' => {
                self.time.month = self.name(&MONTHS)?;
                self.time.has_month = true;
                self.time.completes = true;
            }
            b'c' => self.read(b"%a %b %e %H:%M:%S %Y")?,
            b'C' => {
                self.time.century = Some(self.number(0, 99, 2)?);
                self.time.completes = true;
            }
            b'd' | b'e' => {
                self.time.day = self.number(1, 31, 2)?;
                self.time.has_day = true;
                self.time.completes = true;
            }
            b'D' | b'x' => self.read(b"%m/%d/%y")?,
            b'F' => self.read(b"%Y-%m-%d")?,
            b'k' | b'H' => {
                self.time.hour = self.number(0, 23, 2)?;
                self.time.of_twelve = false;
            }
            b'l' | b'I' => {
                self.time.hour = self.number(1, 12, 2)? % 12;
                self.time.of_twelve = true;
            }
            b'j' => {
                self.time.day_of_year = self.number(1, 366, 3)? - 1;
                self.time.has_day_of_year = true;
            }
            b'm' => {
                self.time.month = self.number(1, 12, 2)? - 1;
                self.time.has_month = true;
                self.time.completes = true;
            }
            b'M' => self.time.minute = self.number(0, 59, 2)?,
            b'n' | b't' => self.skip_space(),
            b'p' => {
                let start = self.text.get(..2)?;
                self.time.afternoon = start.eq_ignore_ascii_case(b"PM");
                if !self.time.afternoon && !start.eq_ignore_ascii_case(b"AM") {
                    return None;
                }
                self.text = &self.text[2..];
            }
            b'r' => self.read(b"%I:%M:%S %p")?,
            b'R' => self.read(b"%H:%M")?,
            b's' => self.epoch()?,
            b'S' => self.time.second = self.number(0, 61, 2)?,
            b'T' | b'X' => self.read(b"%H:%M:%S")?,
            b'u' => {
                self.time.weekday = self.number(1, 7, 1)? % 7;
                self.time.has_weekday = true;
            }
            b'w' => {
                self.time.weekday = self.number(0, 6, 1)?;
                self.time.has_weekday = true;
            }
            // Years and weeks of ISO 8601 are read but not used for the date.
            b'g' => drop(self.number(0, 99, 2)?),
            b'G' => {
                if !self.text.first()?.is_ascii_digit() {
                    return None;
                }
                let digits = self.text.iter().take_while(|byte| byte.is_ascii_digit()).count();
                self.text = &self.text[digits..];
            }
            b'V' => drop(self.number(0, 53, 2)?),
            b'U' => self.time.week = Some((self.number(0, 53, 2)?, 0)),
            b'W' => self.time.week = Some((self.number(0, 53, 2)?, 1)),
            b'y' => {
                let year = self.number(0, 99, 2)?;
                self.time.year = if year >= 69 { year } else { year + 100 };
                self.time.has_short_year = true;
                self.time.completes = true;
            }
            b'Y' => {
                self.time.year = self.number(0, 9999, 4)? - 1900;
                self.time.has_short_year = false;
                self.time.century = None;
                self.time.completes = true;
            }
            b'z' => self.zone()?,
            b'Z' => {}
            _ => return None,
        }
        Some(())
    }

    /// Seconds since 1970, in the process's zone: that is UTC unless the environment says otherwise, and PHP does not set it.
    fn epoch(&mut self) -> Option<()> {
        if !self.text.first()?.is_ascii_digit() {
            return None;
        }
        let mut seconds = 0i64;
        while let Some(digit) = self.text.first().filter(|byte| byte.is_ascii_digit()) {
            seconds = seconds.checked_mul(10)?.checked_add(i64::from(digit - b'0'))?;
            self.text = &self.text[1..];
        }
        let (days, rest) = (seconds / 86_400, seconds % 86_400);
        let time = &mut self.time;
        (time.hour, time.minute, time.second) = (rest / 3600, rest / 60 % 60, rest % 60);
        let mut year = 1970 + days / 366;
        while days_before(year + 1) - days_before(1970) <= days {
            year += 1;
        }
        let day_of_year = days - (days_before(year) - days_before(1970));
        let month = (1..12).rev().find(|&month| days_before_month(year, month) <= day_of_year).unwrap_or(0);
        time.year = year - 1900;
        (time.month, time.day, time.day_of_year) =
            (month, day_of_year - days_before_month(year, month) + 1, day_of_year);
        time.weekday = (days + 4) % 7;
        Some(())
    }

    /// `+hhmm`, `-hh:mm`, `Z`; the offset is not part of the result.
    fn zone(&mut self) -> Option<()> {
        self.skip_space();
        let (sign, rest) = self.text.split_first()?;
        self.text = rest;
        if *sign == b'Z' {
            return Some(());
        }
        if !matches!(sign, b'+' | b'-') {
            return None;
        }
        let (mut digits, mut value) = (0, 0);
        while digits < 4
            && let Some(digit) = self.text.first().filter(|byte| byte.is_ascii_digit())
        {
            value = value * 10 + u32::from(digit - b'0');
            digits += 1;
            self.text = &self.text[1..];
            if digits == 2 && self.text.first() == Some(&b':') {
                self.text = &self.text[1..];
            }
        }
        let value = if digits == 2 { value * 100 } else { value };
        (matches!(digits, 2 | 4) && value % 100 < 60 && value <= 1400).then_some(())
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Days before a year of the Gregorian calendar since some day long ago.
fn days_before(year: i64) -> i64 {
    let before = year - 1;
    before * 365 + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400)
}

fn days_before_month(year: i64, month: i64) -> i64 {
    const DAYS: [i64; 13] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];
    DAYS[month.clamp(0, 12) as usize] + i64::from(month > 1 && is_leap(year))
}

impl Time {
    /// The weekday of the date: 0 is Sunday.
    fn weekday_of(&self) -> i64 {
        let year = self.year + 1900;
        let days = days_before(year) + days_before_month(year, self.month) + self.day - 1;
        (days + 1).rem_euclid(7)
    }

    fn set_date_of_day(&mut self) {
        let year = self.year + 1900;
        let month = (0..12).rev().find(|&month| days_before_month(year, month) <= self.day_of_year).unwrap_or(0);
        if !self.has_month {
            self.month = month;
        }
        if !self.has_day {
            self.day = self.day_of_year - days_before_month(year, month) + 1;
        }
        self.has_month = true;
        self.has_day = true;
    }

    /// Computes the fields that follow from those that were read.
    fn complete(&mut self) {
        if self.of_twelve && self.afternoon {
            self.hour += 12;
        }
        if let Some(century) = self.century {
            let short = if self.has_short_year { self.year % 100 } else { 0 };
            self.year = short + (century - 19) * 100;
        }
        if self.completes && !self.has_weekday {
            if !(self.has_month && self.has_day) && self.has_day_of_year {
                self.set_date_of_day();
            }
            self.weekday = self.weekday_of();
        }
        if self.completes && !self.has_day_of_year {
            self.day_of_year = days_before_month(self.year + 1900, self.month) + self.day - 1;
        }
        if let Some((week, first)) = self.week.filter(|_| self.has_weekday) {
            let (weekday, day, month) = (self.weekday, self.day, self.month);
            (self.month, self.day) = (0, 1);
            let new_year = self.weekday_of();
            (self.month, self.day) = (month, day);
            let weekday_in_week = (weekday - first).rem_euclid(7);
            if !self.has_day_of_year {
                self.day_of_year = (7 - (new_year - first)) % 7 + (week - 1) * 7 + weekday_in_week;
            }
            if !self.has_day || !self.has_month {
                self.set_date_of_day();
            }
        }
    }
}
