//! Intervals of ISO 8601: `P1Y2M3DT4H5M6S`, `R5/2008-03-01T13:00:00Z/P1Y`.

use super::cursor::Cursor;
use crate::calendar::Civil;
use crate::relative::Relative;

/// The parts that a text gave.
#[derive(Default)]
pub struct Interval {
    pub begin: Option<Civil>,
    pub end: Option<Civil>,
    pub period: Option<Relative>,
    pub recurrences: Option<i64>,
}

/// Reads the parts; `None` if the text contains anything else.
pub fn parse(text: &[u8]) -> Option<Interval> {
    let text = text.trim_ascii();
    if text.is_empty() {
        return None;
    }
    let mut interval = Interval::default();
    let mut cursor = Cursor::new(text);
    while !cursor.rest().is_empty() {
        match cursor.peek() {
            b' ' | b'.' | b',' | b'\t' | b'/' | 0 | b'\n' => cursor.advance(1),
            b'R' => {
                cursor.advance(1);
                let digits = cursor.take_while(|byte| byte.is_ascii_digit());
                interval.recurrences = Some(Cursor::new(digits).number(9)?);
            }
            b'P' => {
                let period = combined(&mut cursor).or_else(|| period(&mut cursor))?;
                interval.period = Some(period);
            }
            _ => {
                let moment = moment(&mut cursor)?;
                if interval.begin.is_some() || interval.period.is_some() {
                    interval.end = Some(moment);
                } else {
                    interval.begin = Some(moment);
                }
            }
        }
    }
    Some(interval)
}

/// Numbers of fixed width, each followed by a literal, all of which must fit.
fn fixed(cursor: &mut Cursor<'_>, pattern: &str, limits: [std::ops::RangeInclusive<i64>; 6]) -> Option<[i64; 6]> {
    let mut ahead = cursor.clone();
    let mut numbers = [0; 6];
    let mut index = 0;
    for symbol in pattern.bytes() {
        if symbol.is_ascii_digit() {
            let width = (symbol - b'0') as usize;
            let digits = ahead.rest().get(..width)?;
            if !digits.iter().all(u8::is_ascii_digit) {
                return None;
            }
            let value = Cursor::new(digits).number(width)?;
            if !limits[index].contains(&value) {
                return None;
            }
            numbers[index] = value;
            index += 1;
            ahead.advance(width);
        } else if ahead.peek() == symbol {
            ahead.advance(1);
        } else {
            return None;
        }
    }
    *cursor = ahead;
    Some(numbers)
}

fn moment(cursor: &mut Cursor<'_>) -> Option<Civil> {
    let limits = || [0..=9999, 1..=12, 1..=31, 0..=24, 0..=59, 0..=59];
    let [year, month, day, hour, minute, second] =
        fixed(cursor, "4-2-2T2:2:2Z", limits()).or_else(|| fixed(cursor, "422T222Z", limits()))?;
    Some(Civil { year, month, day, hour, minute, second })
}

/// `P0001-02-03T04:05:06`
fn combined(cursor: &mut Cursor<'_>) -> Option<Relative> {
    let limits = [0..=9999, 0..=12, 0..=31, 0..=24, 0..=59, 0..=59];
    let [year, month, day, hour, minute, second] = fixed(cursor, "P4-2-2T2:2:2", limits)?;
    Some(Relative { year, month, day, hour, minute, second, ..Relative::default() })
}

/// Numbers with a letter, in the order of the letters.
fn period(cursor: &mut Cursor<'_>) -> Option<Relative> {
    cursor.advance(1);
    let mut relative = Relative::default();
    let mut units: &[u8] = b"YMWDTHMS";
    let mut after_time_mark = false;
    let mut count = 0;
    while cursor.peek().is_ascii_digit() || (cursor.peek() == b'T' && units.contains(&b'T')) {
        if cursor.peek() == b'T' {
            cursor.advance(1);
            units = b"HMS";
            after_time_mark = true;
            if !cursor.peek().is_ascii_digit() {
                return None;
            }
            continue;
        }
        let digits = cursor.take_while(|byte| byte.is_ascii_digit());
        let number = Cursor::new(&digits[..digits.len().min(12)]).number(12)?;
        if digits.len() > 12 {
            return None;
        }
        let letter = cursor.peek();
        let place = units.iter().take_while(|&&unit| unit != b'T').position(|&unit| unit == letter)?;
        match (letter, after_time_mark) {
            (b'Y', _) => relative.year = number,
            (b'M', false) => relative.month = number,
            (b'W', _) => relative.day += number * 7,
            (b'D', _) => relative.day += number,
            (b'H', _) => relative.hour = number,
            (b'M', true) => relative.minute = number,
            _ => relative.second = number,
        }
        units = &units[place + 1..];
        cursor.advance(1);
        count += 1;
    }
    (count > 0).then_some(relative)
}
