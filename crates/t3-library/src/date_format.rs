//! Names and formats of dates, and dates as text.

use crate::bignum::BigNum;
use crate::calendar::{Calendar, iso_week, iso_weekday, week_number, weekday};
use crate::days::{civil, days_of};
use crate::roman::roman;

/// Names and formats, by the number that programs set them with.
#[derive(Debug, Clone)]
pub struct Locale(Vec<String>);

pub const MONTHS: usize = 0;
pub const SHORT_MONTHS: usize = 1;
const WEEKDAYS: usize = 2;
const SHORT_WEEKDAYS: usize = 3;
pub const HALVES: usize = 4;
pub const ERAS: usize = 5;
pub const ORDER: usize = 6;
pub const ORDINALS: usize = 7;
const TIMESTAMP: usize = 8;
const TIME: usize = 9;
const DATE: usize = 10;
const SHORT_DATE: usize = 11;
const CLOCK_12: usize = 12;
const CLOCK_24: usize = 13;
const CLOCK_24_SECONDS: usize = 14;

const DEFAULTS: [&str; 15] = [
    "January,February,March,April,May,June,July,August,September,October,November,December",
    "Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,Sep=Sept,Oct,Nov,Dec",
    "Sunday,Monday,Tuesday,Wednesday,Thursday,Friday,Saturday",
    "Sun,Mon,Tue,Wed,Thu,Fri,Sat",
    "AM=A.M.,PM=P.M.,am,pm",
    "AD=A.D.=CE=C.E.,BC=B.C.=BCE=B.C.E.",
    "us",
    "st,nd,rd,th,st,nd,rd",
    "%a %b %#d %T %Y",
    "%H:%M:%S",
    "%m/%d/%Y",
    "%m/%d/%y",
    "%#I:%M:%S %P",
    "%H:%M",
    "%H:%M:%S",
];

impl Default for Locale {
    fn default() -> Locale {
        Locale(DEFAULTS.iter().map(|text| (*text).to_owned()).collect())
    }
}

impl Locale {
    /// A setting.
    pub fn get(&self, number: usize) -> &str {
        self.0.get(number).map_or("", String::as_str)
    }

    /// Whether there is a setting with a number.
    pub fn knows(&self, number: usize) -> bool {
        number < self.0.len()
    }

    /// Changes a setting; whether there is one with the number.
    pub fn set(&mut self, number: usize, text: String) -> bool {
        self.0.get_mut(number).map(|place| *place = text).is_some()
    }

    /// The n-th name of a list; the last one if there are fewer and `sticky` is set.
    pub fn item(&self, number: usize, at: usize, sticky: bool) -> &str {
        let items: Vec<&str> = self.get(number).split(',').collect();
        let item = items.get(at).or_else(|| if sticky { items.last() } else { None });
        item.map_or("", |item| item.split('=').next().unwrap_or_default())
    }
}

/// Which ordinal suffix a number has: 1st, 2nd, 3rd, others, and the same behind tens.
pub fn ordinal(number: i32) -> usize {
    match (number % 10, number) {
        (last @ 1..=3, 1..=3) => last as usize - 1,
        (last @ 1..=3, _) if number / 10 % 10 != 1 => last as usize + 3,
        _ => 3,
    }
}

/// A moment to be shown.
pub struct Shown<'a> {
    pub calendar: Calendar,
    /// Universal time in milliseconds since 1970.
    pub universal: i64,
    /// The zone's offset in milliseconds and abbreviation.
    pub offset: i64,
    pub zone: &'a str,
    pub locale: &'a Locale,
}

/// How one item is to be written.
#[derive(Default)]
struct Flags {
    /// Without leading zeros.
    short: bool,
    minus: bool,
    roman: bool,
    /// In place of leading zeros.
    blank: Option<char>,
}

const DAY: i64 = 86_400_000;

impl Flags {
    fn number(&self, number: i64, digits: usize) -> String {
        if self.roman
            && let Some(letters) = roman(number)
        {
            return letters;
        }
        let (sign, size) = (if number < 0 { "-" } else { "" }, number.unsigned_abs().to_string());
        if self.short {
            return format!("{sign}{size}");
        }
        let missing = digits.saturating_sub(size.len());
        let fill: String = std::iter::repeat_n(self.blank.unwrap_or('0'), missing).collect();
        format!("{sign}{fill}{size}")
    }
}

impl Shown<'_> {
    /// The text after a format.
    pub fn text(&self, format: &str) -> String {
        let mut out = String::new();
        let mut chars = format.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '%' || chars.peek().is_none() {
                out.push(c);
                continue;
            }
            let mut flags = Flags::default();
            let mut code = ' ';
            while let Some(c) = chars.next() {
                code = c;
                if chars.peek().is_none() {
                    break;
                }
                match c {
                    '#' => flags.short = true,
                    ' ' | '\u{15}' => flags.blank = Some(c),
                    '-' => flags.minus = true,
                    '&' => flags.roman = true,
                    _ => break,
                }
            }
            out.push_str(&self.item(code, &flags));
        }
        out
    }

    /// A part of the time of day, which is in milliseconds.
    fn clock(&self, code: char, time: i64, flags: &Flags) -> String {
        let hour = time / 3_600_000;
        let number = |number: i64, digits| flags.number(number, digits);
        let half = |at| self.locale.item(HALVES, at + usize::from(hour >= 12), false).to_owned();
        match code {
            'H' => number(hour, 2),
            'I' => number(if hour % 12 == 0 { 12 } else { hour % 12 }, 2),
            'M' => number(time / 60_000 % 60, 2),
            'S' => number(time / 1000 % 60, 2),
            'N' => number(time % 1000, 3),
            'P' => half(0),
            _ => half(2),
        }
    }

    fn item(&self, code: char, flags: &Flags) -> String {
        let local = self.universal + self.offset;
        let (day, time) = (local.div_euclid(DAY), local.rem_euclid(DAY));
        let date = self.calendar.date(day);
        let name = |list, at| self.locale.item(list, at, false).to_owned();
        let number = |number: i64, digits| flags.number(number, digits);
        let within = |list| self.text(self.locale.get(list));
        match code {
            'a' => name(SHORT_WEEKDAYS, weekday(day) as usize),
            'A' => name(WEEKDAYS, weekday(day) as usize),
            'd' => number(date.day.into(), 2),
            'j' => number(day - days_of(civil(day).0, 1, 1) + 1, 3),
            'J' => julian_day(self.universal).round_to(10).display(),
            'u' => number(iso_weekday(day).into(), 1),
            'w' => number(weekday(day).into(), 1),
            't' => number(date.day.into(), 1) + self.locale.item(ORDINALS, ordinal(date.day), true),
            'U' => number(week_number(day, 0).into(), 2),
            'W' => number(week_number(day, 1).into(), 2),
            'V' => number(iso_week(day).1.into(), 2),
            'b' => name(SHORT_MONTHS, date.month as usize - 1),
            'B' => name(MONTHS, date.month as usize - 1),
            'm' => number(date.month.into(), 2),
            'C' => number((date.year / 100).into(), 2),
            'g' => number(iso_week(day).0.into(), 2),
            'G' => number(iso_week(day).0.into(), 4),
            'y' => number((date.year % 100).into(), 2),
            'Y' => number(date.year.into(), 4),
            'e' | 'E' => {
                let (era, year) = if date.year <= 0 { (1, 1 - i64::from(date.year)) } else { (0, date.year.into()) };
                let first = if code == 'e' { flags.minus } else { flags.minus == (era == 1) };
                let (era, year) = (name(ERAS, era), number(year, 1));
                if first { format!("{era} {year}") } else { format!("{year} {era}") }
            }
            'H' | 'I' | 'M' | 'S' | 'N' | 'P' | 'p' => self.clock(code, time, flags),
            'r' => within(CLOCK_12),
            'R' => within(CLOCK_24),
            'T' => within(CLOCK_24_SECONDS),
            'X' => within(TIME),
            'z' => self.zone.to_owned(),
            'Z' => {
                let minutes = self.offset.abs() / 60_000;
                let sign = if self.offset < 0 { '-' } else { '+' };
                format!("{sign}{}{:02}", number(minutes / 60, 2), minutes % 60)
            }
            'c' => within(TIMESTAMP),
            'D' => within(SHORT_DATE),
            'F' => self.text("%Y-%m-%d"),
            's' => self.universal.div_euclid(1000).to_string(),
            'x' => within(DATE),
            '%' => "%".to_owned(),
            other => format!("%{other}"),
        }
    }
}

/// The Julian day of a moment, with 32 digits.
pub fn julian_day(milliseconds: i64) -> BigNum {
    // The Julian day begins at noon; 1970-01-01 00:00 is 2440587.5.
    let since = milliseconds + 4_881_175 * (DAY / 2);
    let wide = |number: i64| BigNum::new(number.into(), 0, 32);
    wide(since).div(&wide(DAY)).unwrap_or_else(|| wide(0))
}
