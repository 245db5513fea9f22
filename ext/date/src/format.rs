//! `date` and its relatives: moments as text.

use crate::calendar::{Civil, days_in_month, is_leap};
use crate::moment::Moment;
use crate::zone::{Offset, Zone};

pub const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
pub const MONTHS: [&str; 12] = [
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

/// `+02:00` or `+0200`
fn offset_text(seconds: i64, separator: &str) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.abs() / 60;
    format!("{sign}{:02}{separator}{:02}", minutes / 60, minutes % 60)
}

fn ordinal_suffix(day: i64) -> &'static str {
    match (day % 10, day / 10) {
        (_, 1) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

fn year_text(year: i64) -> String {
    if year < 0 { format!("-{:04}", year.unsigned_abs()) } else { format!("{year:04}") }
}

/// Four places, the sign among them.
fn padded_year(year: i64) -> String {
    format!("{year:04}")
}

/// Beats of the Swatch internet time.
fn beats(timestamp: i64) -> i64 {
    let tenths = (timestamp % 86_400 + 3600) * 10;
    (if tenths < 0 { tenths + 864_000 } else { tenths }) / 864 % 1000
}

/// A moment by a `date()` format.
pub fn format(pattern: &[u8], moment: &Moment) -> Vec<u8> {
    format_at(pattern, moment, &moment.offset())
}

/// A moment by a `date()` format, with the abbreviation of universal time that `gmdate()` has.
pub fn format_universal(pattern: &[u8], moment: &Moment) -> Vec<u8> {
    format_at(pattern, moment, &Offset { abbreviation: "GMT".into(), ..moment.offset() })
}

fn format_at(pattern: &[u8], moment: &Moment, offset: &Offset) -> Vec<u8> {
    let mut text = Vec::with_capacity(pattern.len() * 4);
    let mut symbols = pattern.iter();
    while let Some(&symbol) = symbols.next() {
        if symbol == b'\\' {
            // A backslash at the end escapes the NUL behind the text.
            text.push(symbols.next().copied().unwrap_or(0));
            continue;
        }
        if short_field(symbol, &moment.civil, &mut text) {
            continue;
        }
        match field(symbol, moment, offset) {
            Some(value) => text.extend_from_slice(value.as_bytes()),
            None => text.push(symbol),
        }
    }
    text
}

/// Appends one of the fields that most formats are made of, if it has no more digits than usual.
fn short_field(symbol: u8, civil: &Civil, text: &mut Vec<u8>) -> bool {
    let number = match symbol {
        b'd' => civil.day,
        b'm' => civil.month,
        b'H' => civil.hour,
        b'i' => civil.minute,
        b's' => civil.second,
        b'Y' => civil.year,
        _ => {
            let stands_for_itself = !symbol.is_ascii_alphabetic();
            text.extend(stands_for_itself.then_some(symbol));
            return stands_for_itself;
        }
    };
    let digit = |power: i64| b'0' + (number / power % 10) as u8;
    match (symbol, number) {
        (b'Y', 0..10_000) => text.extend_from_slice(&[digit(1000), digit(100), digit(10), digit(1)]),
        (b'd' | b'm' | b'H' | b'i' | b's', 0..100) => text.extend_from_slice(&[digit(10), digit(1)]),
        _ => return false,
    }
    true
}

/// The text of one symbol; `None` if the symbol stands for itself.
pub fn field(symbol: u8, moment: &Moment, offset: &Offset) -> Option<String> {
    let civil = &moment.civil;
    let Civil { year, month, day, hour, minute, second } = *civil;
    let twelve = (hour + 11) % 12 + 1;
    let weekday = || WEEKDAYS[civil.weekday() as usize];
    let month_name = || MONTHS[(month - 1).clamp(0, 11) as usize];
    Some(match symbol {
        b'd' => format!("{day:02}"),
        b'D' => weekday()[..3].to_owned(),
        b'j' => day.to_string(),
        b'l' => weekday().to_owned(),
        b'N' => ((civil.weekday() + 6) % 7 + 1).to_string(),
        b'S' => ordinal_suffix(day).to_owned(),
        b'w' => civil.weekday().to_string(),
        b'z' => civil.day_of_year().to_string(),
        b'W' => format!("{:02}", civil.iso_week().1),
        b'F' => month_name().to_owned(),
        b'm' => format!("{month:02}"),
        b'M' => month_name()[..3].to_owned(),
        b'n' => month.to_string(),
        b't' => days_in_month(year, month).to_string(),
        b'L' => (is_leap((year as i32).into()) as i64).to_string(),
        b'o' => civil.iso_week().0.to_string(),
        b'Y' => year_text(year),
        b'x' if year < 10_000 => year_text(year),
        b'x' | b'X' => format!("{}{:04}", if year < 0 { '-' } else { '+' }, year.unsigned_abs()),
        b'y' => format!("{:02}", year % 100),
        b'a' => if hour < 12 { "am" } else { "pm" }.to_owned(),
        b'A' => if hour < 12 { "AM" } else { "PM" }.to_owned(),
        b'B' => format!("{:03}", beats(moment.timestamp)),
        b'g' => twelve.to_string(),
        b'G' => hour.to_string(),
        b'h' => format!("{twelve:02}"),
        b'H' => format!("{hour:02}"),
        b'i' => format!("{minute:02}"),
        b's' => format!("{second:02}"),
        b'u' => format!("{:06}", moment.microsecond),
        b'v' => format!("{:03}", moment.microsecond / 1000),
        b'e' => moment.zone.name(),
        b'I' => (offset.daylight_saving as i64).to_string(),
        b'O' => offset_text(offset.seconds, ""),
        b'P' => offset_text(offset.seconds, ":"),
        b'p' if matches!(&offset.abbreviation[..], "UTC" | "Z" | "GMT+0000") => "Z".to_owned(),
        b'p' => offset_text(offset.seconds, ":"),
        b'T' => offset.abbreviation.to_string(),
        b'Z' => offset.seconds.to_string(),
        b'c' => {
            let zone = offset_text(offset.seconds, ":");
            format!("{}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}", padded_year(year))
        }
        b'r' => {
            let zone = offset_text(offset.seconds, "");
            let (name, month) = (&weekday()[..3], &month_name()[..3]);
            format!("{name}, {day:02} {month} {} {hour:02}:{minute:02}:{second:02} {zone}", padded_year(year))
        }
        b'U' => moment.timestamp.to_string(),
        _ => return None,
    })
}

/// A timestamp in UTC, as transitions show it.
pub fn in_utc(pattern: &[u8], timestamp: i64) -> Vec<u8> {
    format(pattern, &Moment::at(timestamp, Zone::Offset(0)))
}
