//! Text by a format: what `DateTime::createFromFormat` reads.

use super::cursor::{Cursor, NumberError};
use super::words::{self, Unit};
use super::{Parsed, full_year};
use crate::calendar::Civil;
use crate::relative::{WeekdayBehavior, WeekdayStep};
use crate::zone::Zone;
use crate::zone::parse::{Found, zone};

struct Reader<'a> {
    parsed: Parsed,
    cursor: Cursor<'a>,
    allows_rest: bool,
}

const SEPARATORS: &[u8] = b";:/.,-()";

/// Reads a date by a format.
pub fn parse(format: &[u8], text: &[u8]) -> Parsed {
    let format = phlox_runtime::until_nul(format);
    let mut reader = Reader { parsed: Parsed::default(), cursor: Cursor::new(text), allows_rest: false };
    let mut symbols = format;
    while let [symbol, rest @ ..] = symbols
        && !reader.cursor.at_end()
    {
        symbols = rest;
        if *symbol == b'\\' {
            reader.escaped(&mut symbols);
        } else {
            reader.take(*symbol);
        }
    }
    reader.finish(symbols);
    reader.parsed
}

impl Reader<'_> {
    fn error_at(&mut self, cursor: &Cursor<'_>, text: &'static str) {
        self.parsed.error(cursor.position, cursor.peek(), text);
    }

    fn warn(&mut self, text: &'static str) {
        self.parsed.warn(self.cursor.position, self.cursor.peek(), text);
    }

    fn escaped(&mut self, symbols: &mut &[u8]) {
        let begin = self.cursor.clone();
        match symbols {
            [] => self.error_at(&begin, "Escaped character expected"),
            [symbol, rest @ ..] => {
                *symbols = rest;
                self.literal(*symbol, "The escaped character could not be found");
            }
        }
    }

    fn literal(&mut self, symbol: u8, complaint: &'static str) {
        if self.cursor.peek() == symbol {
            self.cursor.advance(1);
        } else {
            let begin = self.cursor.clone();
            self.error_at(&begin, complaint);
        }
    }

    /// Reads digits that must begin right here; two errors are reported if there are none.
    fn digits(&mut self, longest: usize, complaint: &'static str) -> Option<(i64, usize)> {
        let begin = self.cursor.clone();
        if !begin.peek().is_ascii_digit() {
            self.error_at(&begin, "Unexpected data found.");
        }
        let found = self.cursor.number_and_length(longest);
        if found.is_none() {
            self.error_at(&begin, complaint);
        }
        found
    }

    fn two_digits(&mut self, complaint: &'static str) -> Option<i64> {
        let begin = self.cursor.clone();
        let (value, length) = self.digits(2, complaint)?;
        if length == 2 {
            return Some(value);
        }
        self.error_at(&begin, complaint);
        None
    }

    fn signed(&mut self, complaint: &'static str) -> Option<i64> {
        let begin = self.cursor.clone();
        if !begin.peek().is_ascii_digit() && !matches!(begin.peek(), b'+' | b'-') {
            self.error_at(&begin, "Unexpected data found.");
        }
        match self.cursor.signed_number(if complaint.is_empty() { 24 } else { 19 }) {
            Ok(value) => Some(value),
            Err(error) => {
                let text = match error {
                    NumberError::Missing => "Found unexpected data",
                    NumberError::OutOfRange => "Number out of range",
                };
                self.parsed.error(0, 0, text);
                Some(0)
            }
        }
    }

    fn take(&mut self, symbol: u8) {
        match symbol {
            b'D' | b'l' => self.day_name(),
            b'd' | b'j' => {
                if let Some((day, _)) = self.digits(2, "A two digit day could not be found") {
                    self.parsed.day = Some(day);
                    self.parsed.has_date = true;
                }
            }
            b'S' => self.cursor.skip_day_suffix(),
            b'z' => self.day_of_year(),
            b'm' | b'n' => {
                if let Some((month, _)) = self.digits(2, "A two digit month could not be found") {
                    self.parsed.month = Some(month);
                    self.parsed.has_date = true;
                }
            }
            b'M' | b'F' => self.month_name(),
            b'y' => {
                if let Some((year, length)) = self.digits(2, "A two digit year could not be found") {
                    self.parsed.year = Some(full_year(year, length));
                    self.parsed.has_date = true;
                }
            }
            b'Y' => {
                if let Some((year, _)) = self.digits(4, "A four digit year could not be found") {
                    self.parsed.year = Some(year);
                    self.parsed.has_date = true;
                }
            }
            b'x' | b'X' => {
                self.parsed.year = self.signed("An expanded digit year could not be found");
                self.parsed.has_date = true;
            }
            b'a' | b'A' | b'g' | b'h' | b'G' | b'H' | b'i' | b's' | b'u' | b'v' => self.time(symbol),
            b'U' => self.timestamp(),
            b'e' | b'p' | b'P' | b'T' | b'O' => self.zone(),
            b' ' => self.cursor.skip_spaces(),
            b'#' if SEPARATORS.contains(&self.cursor.peek()) => self.cursor.advance(1),
            b'#' => {
                let begin = self.cursor.clone();
                self.error_at(&begin, "The separation symbol ([;:/.,-]) could not be found");
            }
            b';' | b':' | b'/' | b'.' | b',' | b'-' | b'(' | b')' => {
                self.literal(symbol, "The separation symbol could not be found");
            }
            b'!' => self.reset(),
            b'|' => self.reset_missing(),
            b'?' => self.cursor.advance(1),
            b'*' => {
                self.cursor.advance(1);
                self.cursor.take_while(|byte| !b"\0 \t.,:;/-0123456789".contains(&byte));
            }
            b'+' => self.allows_rest = true,
            _ => {
                if self.cursor.peek() != symbol {
                    let begin = self.cursor.clone();
                    self.error_at(&begin, "The format separator does not match");
                }
                self.cursor.advance(1);
            }
        }
    }

    fn day_name(&mut self) {
        let begin = self.cursor.clone();
        match words::unit(&mut self.cursor) {
            Some((unit, multiple)) => {
                let weekday = if unit == Unit::Weekday { multiple } else { multiple.min(6) };
                self.parsed.has_relative = true;
                let behavior = WeekdayBehavior::IncludeToday;
                self.parsed.relative.weekday = Some(WeekdayStep { weekday, behavior });
            }
            None => self.error_at(&begin, "A textual day could not be found"),
        }
    }

    fn day_of_year(&mut self) {
        let begin = self.cursor.clone();
        if !begin.peek().is_ascii_digit() {
            self.error_at(&begin, "Unexpected data found.");
        }
        if self.parsed.year.is_none() {
            self.error_at(&begin, "A 'day of year' can only come after a year has been found");
        }
        let Some(day) = self.cursor.number(3) else {
            self.error_at(&begin, "A three digit day-of-year could not be found");
            return;
        };
        if let Some(year) = self.parsed.year {
            self.parsed.has_date = true;
            let civil = Civil::from_seconds(Civil { year, month: 1, day: day + 1, ..Civil::default() }.seconds());
            (self.parsed.year, self.parsed.month, self.parsed.day) =
                (Some(civil.year), Some(civil.month), Some(civil.day));
        }
    }

    fn month_name(&mut self) {
        let begin = self.cursor.clone();
        match words::month(&mut self.cursor) {
            0 => self.error_at(&begin, "A textual month could not be found"),
            month => {
                self.parsed.has_date = true;
                self.parsed.month = Some(month);
            }
        }
    }

    fn time(&mut self, symbol: u8) {
        let begin = self.cursor.clone();
        match symbol {
            b'a' | b'A' => return self.meridian(),
            b'u' | b'v' => return self.fraction(if symbol == b'u' { 6 } else { 3 }),
            b'i' => match self.two_digits("A two digit minute could not be found") {
                Some(minute) => self.parsed.minute = Some(minute),
                None => return,
            },
            b's' => match self.two_digits("A two digit second could not be found") {
                Some(second) => self.parsed.second = Some(second),
                None => return,
            },
            _ => {
                let Some((hour, _)) = self.digits(2, "A two digit hour could not be found") else { return };
                self.parsed.hour = Some(hour);
                if matches!(symbol, b'g' | b'h') && hour > 12 {
                    self.error_at(&begin, "Hour cannot be higher than 12");
                    return;
                }
            }
        }
        self.parsed.time_count = 1;
    }

    fn meridian(&mut self) {
        let begin = self.cursor.clone();
        if self.parsed.hour.is_none() {
            self.error_at(&begin, "Meridian can only come after an hour has been found");
        }
        match self.cursor.checked_meridian(self.parsed.hour.unwrap_or(0)) {
            Some(shift) => {
                self.parsed.time_count = 1;
                self.parsed.hour = self.parsed.hour.map(|hour| hour + shift);
            }
            None => self.error_at(&begin, "A meridian could not be found"),
        }
    }

    fn fraction(&mut self, longest: usize) {
        let complaint = match longest {
            6 => "A six digit microsecond could not be found",
            _ => "A three digit millisecond could not be found",
        };
        let before = self.cursor.position;
        if let Some((value, _)) = self.digits(longest, complaint) {
            let read = (self.cursor.position - before) as i32;
            let scale = 10f64.powi(longest as i32 - read) * if longest == 3 { 1000.0 } else { 1.0 };
            self.parsed.microsecond = Some((value as f64 * scale) as i64);
        }
    }

    fn timestamp(&mut self) {
        let seconds = self.signed("").unwrap_or(0);
        let civil = Civil::from_seconds(seconds);
        let parsed = &mut self.parsed;
        (parsed.year, parsed.month, parsed.day) = (Some(civil.year), Some(civil.month), Some(civil.day));
        (parsed.hour, parsed.minute, parsed.second) = (Some(civil.hour), Some(civil.minute), Some(civil.second));
        parsed.zone_count = 1;
        parsed.is_local = true;
        parsed.zone = Some(Zone::Offset(0));
    }

    fn zone(&mut self) {
        let begin = self.cursor.clone();
        self.parsed.is_local = true;
        match zone(&mut self.cursor) {
            Found::Zone(zone) => {
                self.parsed.zone = Some(zone);
                self.parsed.zone_count = 1;
            }
            Found::Unknown => self.error_at(&begin, "The timezone could not be found in the database"),
        }
    }

    fn reset(&mut self) {
        let parsed = &mut self.parsed;
        (parsed.year, parsed.month, parsed.day) = (Some(1970), Some(1), Some(1));
        parsed.zero_time();
        if matches!(parsed.zone, Some(Zone::Named(_))) {
            parsed.zone = None;
        }
    }

    fn reset_missing(&mut self) {
        let parsed = &mut self.parsed;
        parsed.year.get_or_insert(1970);
        parsed.month.get_or_insert(1);
        parsed.day.get_or_insert(1);
        for part in [&mut parsed.hour, &mut parsed.minute, &mut parsed.second, &mut parsed.microsecond] {
            part.get_or_insert(0);
        }
    }

    /// Handles the rest of the format and of the text, and checks that the parts make a valid date.
    fn finish(&mut self, symbols: &[u8]) {
        if !self.cursor.at_end() {
            if self.allows_rest {
                self.warn("Trailing data");
            } else {
                let end = self.cursor.clone();
                self.error_at(&end, "Trailing data");
            }
        }
        for symbol in symbols {
            match symbol {
                b'!' => self.reset(),
                b'|' => self.reset_missing(),
                b'+' => {}
                _ => {
                    let end = self.cursor.clone();
                    self.error_at(&end, "Not enough data available to satisfy format");
                    break;
                }
            }
        }
        let parsed = &mut self.parsed;
        let time = [parsed.hour, parsed.minute, parsed.second, parsed.microsecond];
        if time.iter().any(Option::is_some) {
            for part in [&mut parsed.hour, &mut parsed.minute, &mut parsed.second, &mut parsed.microsecond] {
                part.get_or_insert(0);
            }
            if !self.parsed.has_valid_time() {
                self.warn("The parsed time was invalid");
            }
        }
        let date = [self.parsed.year, self.parsed.month, self.parsed.day];
        if date.iter().all(Option::is_some) && !self.parsed.has_valid_date() {
            self.warn("The parsed date was invalid");
        }
    }
}
