//! The result of both date parsers (of free text and by a format).

pub mod cursor;
mod formats;
pub mod from_format;
pub mod intervals;
mod scanner;
mod words;

pub use scanner::parse;

use crate::calendar::days_in_month;
use crate::relative::Relative;
use crate::zone::Zone;
use phlox_runtime::{Key, PhpArr, Val};

/// The parts of a date that a text gave; `None` for those that it did not give.
#[derive(Clone, Default)]
pub struct Parsed {
    pub year: Option<i64>,
    pub month: Option<i64>,
    pub day: Option<i64>,
    pub hour: Option<i64>,
    pub minute: Option<i64>,
    pub second: Option<i64>,
    pub microsecond: Option<i64>,
    pub zone: Option<Zone>,
    /// The text named a zone, known or not.
    pub is_local: bool,
    pub has_date: bool,
    /// How often a time was given.
    pub time_count: u32,
    pub zone_count: u32,
    pub has_relative: bool,
    pub relative: Relative,
    pub messages: Messages,
}

/// Warnings and errors, each with a position in the text.
#[derive(Clone, Default)]
pub struct Messages {
    pub warnings: Vec<Message>,
    pub errors: Vec<Message>,
}

#[derive(Clone)]
pub struct Message {
    pub position: usize,
    /// The byte at the position; 0 at the end.
    pub character: u8,
    pub text: &'static str,
}

impl Message {
    /// `at position 3 (x): text`
    pub fn describe(&self) -> Vec<u8> {
        let character = if self.character == 0 { b' ' } else { self.character };
        let mut text = format!("at position {} (", self.position).into_bytes();
        text.push(character);
        text.extend_from_slice(b"): ");
        text.extend_from_slice(self.text.as_bytes());
        text
    }
}

impl Messages {
    /// Whether there is neither a warning nor an error.
    pub fn is_empty(&self) -> bool {
        self.warnings.is_empty() && self.errors.is_empty()
    }

    /// Adds the four elements that `date_get_last_errors` gives.
    pub fn describe(&self, array: &mut PhpArr) {
        let lists = [("warning_count", "warnings", &self.warnings), ("error_count", "errors", &self.errors)];
        for (count, name, list) in lists {
            let mut texts = PhpArr::new();
            for message in list {
                let _ = texts.insert(Key::Int(message.position as i64), message.text.into());
            }
            array.set_bytes(count.as_bytes(), Val::int(list.len() as i64));
            array.set_bytes(name.as_bytes(), texts.into());
        }
    }
}

impl Parsed {
    fn warn(&mut self, position: usize, character: u8, text: &'static str) {
        self.messages.warnings.push(Message { position, character, text });
    }

    fn error(&mut self, position: usize, character: u8, text: &'static str) {
        self.messages.errors.push(Message { position, character, text });
    }

    /// `@0` and the like: the moment is absolute and in UTC.
    pub fn is_timestamp(&self) -> bool {
        let date = (self.year, self.month, self.day) == (Some(1970), Some(1), Some(1));
        let time = [self.hour, self.minute, self.second, self.microsecond].iter().all(|&part| part == Some(0));
        date && time && self.zone_count > 0 && matches!(self.zone, Some(Zone::Offset(0)))
    }

    fn clear_time(&mut self) {
        self.time_count = 0;
        self.zero_time();
    }

    fn zero_time(&mut self) {
        (self.hour, self.minute, self.second, self.microsecond) = (Some(0), Some(0), Some(0), Some(0));
    }

    fn has_valid_time(&self) -> bool {
        let within = |part: Option<i64>, limit: i64| part.is_some_and(|value| (0..limit).contains(&value));
        within(self.hour, 24) && within(self.minute, 60) && within(self.second, 60)
    }

    fn has_valid_date(&self) -> bool {
        // Missing parts count as out of range, except that any year is valid.
        let (Some(month), Some(day)) = (self.month, self.day) else { return false };
        let year = self.year.unwrap_or(0);
        (1..=12).contains(&month) && day >= 1 && day <= days_in_month(year, month)
    }
}

/// Two digits of a year mean 1970 to 2069.
fn full_year(year: i64, digits: usize) -> i64 {
    match year {
        0..70 if digits < 4 => year + 2000,
        70..100 if digits < 4 => year + 1900,
        _ => year,
    }
}
