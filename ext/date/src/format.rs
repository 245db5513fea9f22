//! `date` and its relatives: moments as text.

use crate::calendar::{Civil, days_in_month, is_leap, now};
use crate::zone::{Offset, Zone};
use phlox_runtime::{Call, FnDef, PhpResult, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("date(string $format, ?int $timestamp = null): string", date),
    FnDef::new("gmdate(string $format, ?int $timestamp = null): string", gmdate),
    FnDef::new("idate(string $format, ?int $timestamp = null): int|false", idate),
];

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
    if year < 0 { format!("-{:04}", -year) } else { format!("{year:04}") }
}

/// A moment in a zone by a `date()` format.
pub fn format(pattern: &[u8], timestamp: i64, zone: &Zone) -> Vec<u8> {
    let (civil, offset) = zone.civil(timestamp);
    let mut text = Vec::new();
    let mut symbols = pattern.iter();
    while let Some(&symbol) = symbols.next() {
        if symbol == b'\\' {
            text.extend(symbols.next());
            continue;
        }
        match field(symbol, &civil, &offset, timestamp, zone) {
            Some(value) => text.extend_from_slice(value.as_bytes()),
            None => text.push(symbol),
        }
    }
    text
}

/// One symbol's text; `None`: it stands for itself.
fn field(symbol: u8, civil: &Civil, offset: &Offset, timestamp: i64, zone: &Zone) -> Option<String> {
    let Civil { year, month, day, hour, minute, second } = *civil;
    let twelve = (hour + 11) % 12 + 1;
    let nested = |pattern: &[u8]| String::from_utf8_lossy(&format(pattern, timestamp, zone)).into_owned();
    Some(match symbol {
        b'd' => format!("{day:02}"),
        b'D' => WEEKDAYS[civil.weekday() as usize][..3].to_owned(),
        b'j' => day.to_string(),
        b'l' => WEEKDAYS[civil.weekday() as usize].to_owned(),
        b'N' => ((civil.weekday() + 6) % 7 + 1).to_string(),
        b'S' => ordinal_suffix(day).to_owned(),
        b'w' => civil.weekday().to_string(),
        b'z' => civil.day_of_year().to_string(),
        b'W' => format!("{:02}", civil.iso_week().1),
        b'F' => MONTHS[month as usize - 1].to_owned(),
        b'm' => format!("{month:02}"),
        b'M' => MONTHS[month as usize - 1][..3].to_owned(),
        b'n' => month.to_string(),
        b't' => days_in_month(year, month).to_string(),
        b'L' => (is_leap(year) as i64).to_string(),
        b'o' => civil.iso_week().0.to_string(),
        b'Y' => year_text(year),
        b'x' if (0..=9999).contains(&year) => year_text(year),
        b'x' | b'X' => format!("{}{:04}", if year < 0 { '-' } else { '+' }, year.abs()),
        b'y' => format!("{:02}", year.rem_euclid(100)),
        b'a' => if hour < 12 { "am" } else { "pm" }.to_owned(),
        b'A' => if hour < 12 { "AM" } else { "PM" }.to_owned(),
        b'B' => format!("{:03}", (timestamp + 3600).rem_euclid(86_400) * 10 / 864),
        b'g' => twelve.to_string(),
        b'G' => hour.to_string(),
        b'h' => format!("{twelve:02}"),
        b'H' => format!("{hour:02}"),
        b'i' => format!("{minute:02}"),
        b's' => format!("{second:02}"),
        b'u' => "000000".to_owned(),
        b'v' => "000".to_owned(),
        b'e' => zone.name.clone(),
        b'I' => (offset.daylight_saving as i64).to_string(),
        b'O' => offset_text(offset.seconds, ""),
        b'P' => offset_text(offset.seconds, ":"),
        b'p' if offset.seconds == 0 => "Z".to_owned(),
        b'p' => offset_text(offset.seconds, ":"),
        b'T' => abbreviation(offset),
        b'Z' => offset.seconds.to_string(),
        b'c' => nested(b"Y-m-d\\TH:i:sP"),
        b'r' => nested(b"D, d M Y H:i:s O"),
        b'U' => timestamp.to_string(),
        _ => return None,
    })
}

/// Zones without letters of their own show their offset.
fn abbreviation(offset: &Offset) -> String {
    let letters = offset.abbreviation.starts_with(|c: char| c.is_ascii_alphabetic());
    if letters { offset.abbreviation.clone() } else { offset_text(offset.seconds, ":") }
}

fn date(call: &mut Call<'_>) -> PhpResult<Val> {
    let timestamp = call.opt_int(1).unwrap_or_else(now);
    Ok(format(&call.str(0), timestamp, &Zone::default(call.vm)).into())
}

fn gmdate(call: &mut Call<'_>) -> PhpResult<Val> {
    let timestamp = call.opt_int(1).unwrap_or_else(now);
    Ok(format(&call.str(0), timestamp, &Zone::utc()).into())
}

fn idate(call: &mut Call<'_>) -> PhpResult<Val> {
    let pattern = call.str(0);
    let [symbol] = pattern.as_bytes() else {
        return Err(call.value_error(0, "must be one character"));
    };
    let timestamp = call.opt_int(1).unwrap_or_else(now);
    let zone = Zone::default(call.vm);
    let known = b"BdhHiILmNsotUwWyYzZ".contains(symbol);
    let (civil, offset) = zone.civil(timestamp);
    match field(*symbol, &civil, &offset, timestamp, &zone).filter(|_| known) {
        Some(text) => Ok(Val::int(text.parse().unwrap_or(0))),
        None => Err(call.value_error(0, "must be a valid date format token")),
    }
}
