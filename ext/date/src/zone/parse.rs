//! Zones in text: `+02:00`, `EST`, `Europe/Berlin`, in parentheses or not.

use super::{Zone, rules, tables};
use crate::parse::cursor::Cursor;

/// The result of reading a zone.
pub enum Found {
    Zone(Zone),
    /// A word that names no zone.
    Unknown,
}

const LONGEST_ABBREVIATION: usize = 6;

/// The offset after the sign, in seconds; `None` if the digits make no offset.
fn offset(cursor: &mut Cursor<'_>) -> Option<i64> {
    let text = cursor.take_while(|byte| byte.is_ascii_digit() || byte == b':');
    let number = |part: &[u8]| {
        let digits = part.iter().take_while(|byte| byte.is_ascii_digit());
        digits.fold(0i64, |value, digit| value * 10 + (digit - b'0') as i64)
    };
    let colon_at = |index: usize| text.get(index) == Some(&b':');
    match text.len() {
        1 | 2 => Some(number(text) * 3600),
        3 | 4 if colon_at(1) => Some(number(text) * 3600 + number(&text[2..]) * 60),
        3 | 4 if colon_at(2) => Some(number(text) * 3600 + number(&text[3..]) * 60),
        3 | 4 => Some(number(text) / 100 * 3600 + number(text) % 100 * 60),
        5 if colon_at(2) => Some(number(text) * 3600 + number(&text[3..]) * 60),
        6 => {
            let value = number(text);
            Some(value / 10_000 * 3600 + value / 100 % 100 * 60 + value % 100)
        }
        8 if colon_at(2) && colon_at(5) => Some(number(text) * 3600 + number(&text[3..]) * 60 + number(&text[6..])),
        _ => None,
    }
}

fn named(word: &[u8]) -> Found {
    let word = phlox_runtime::shown(word);
    let universal = word == "UTC";
    if word.len() < LONGEST_ABBREVIATION && !universal {
        let zero = (word.eq_ignore_ascii_case("gmt") || word.eq_ignore_ascii_case("utc")).then_some((0, false));
        let row = tables::abbreviation(&word, None).map(|row| (row.offset, row.daylight_saving));
        if let Some((offset, daylight_saving)) = zero.or(row) {
            return Found::Zone(Zone::Abbreviation {
                letters: word.to_ascii_uppercase(),
                standard_offset: offset - daylight_saving as i64 * 3600,
                daylight_saving,
            });
        }
    }
    rules(&word).map_or(Found::Unknown, |rules| Found::Zone(Zone::Named(rules)))
}

/// Reads a zone at the cursor.
pub fn zone(cursor: &mut Cursor<'_>) -> Found {
    let mut open = 0;
    while let b' ' | b'\t' | b'(' = cursor.peek() {
        open += (cursor.peek() == b'(') as usize;
        cursor.advance(1);
    }
    if cursor.rest().starts_with(b"GMT") && matches!(cursor.peek_at(3), b'+' | b'-') {
        cursor.advance(3);
    }
    let found = match cursor.peek() {
        sign @ (b'+' | b'-') => {
            cursor.advance(1);
            let direction = if sign == b'-' { -1 } else { 1 };
            offset(cursor).map_or(Found::Unknown, |seconds| Found::Zone(Zone::Offset(direction * seconds)))
        }
        _ => named(cursor.take_while(|byte| byte.is_ascii_alphanumeric() || b"/_-+".contains(&byte))),
    };
    while open > 0 && cursor.peek() == b')' {
        cursor.advance(1);
        open -= 1;
    }
    found
}

/// Reads a whole text as a zone, as the constructor of `DateTimeZone` does; the error is the constructor's message.
pub fn whole(text: &[u8]) -> Result<Zone, String> {
    if text.contains(&0) {
        return Err("Timezone must not contain null bytes".to_owned());
    }
    let mut cursor = Cursor::new(text);
    let shown = phlox_runtime::shown(text);
    match zone(&mut cursor) {
        Found::Zone(Zone::Offset(seconds)) if seconds.abs() >= 360_000 => {
            Err(format!("Timezone offset is out of range ({shown})"))
        }
        Found::Zone(zone) if cursor.rest().is_empty() => Ok(zone),
        _ => Err(format!("Unknown or bad timezone ({shown})")),
    }
}
