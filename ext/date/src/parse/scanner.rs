//! Free text: `tomorrow 10:00`, `first monday of january 2025`, `2024-02-29T12:00:00+01:00`.

use super::cursor::{Cursor, NumberError};
use super::formats::{Form, recognize};
use super::words::{self, Unit};
use super::{Parsed, full_year};
use crate::calendar::day_of_iso_week;
use crate::relative::{Edge, Special, WeekdayBehavior, WeekdayStep};
use crate::zone::Zone;
use crate::zone::parse::{Found, zone};

/// Stops the reading of one part, about which an error was recorded.
struct Refused;

struct Scanner {
    parsed: Parsed,
    /// Position at which the part being read begins.
    start: usize,
    character: u8,
}

/// Reads a date in free text.
pub fn parse(text: &[u8]) -> Parsed {
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b;
    let start = text.iter().position(|byte| !is_space(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_space(byte)).map_or(start, |last| last + 1);
    let text = &text[start..end];
    if text.is_empty() {
        let mut parsed = Parsed::default();
        parsed.error(0, 0, "Empty string");
        return parsed;
    }
    let mut scanner = Scanner { parsed: Parsed::default(), start: 0, character: 0 };
    // Some forms want a blank or the end after them, which is a NUL byte.
    let padded = [text, &[0; 2]].concat();
    let mut position = 0;
    while position < text.len() {
        let Some((form, length)) = recognize(&padded[position..]) else { break };
        scanner.start = position;
        scanner.character = padded[position];
        let _ = scanner.take(form, &padded[position..position + length]);
        position += length;
    }
    let mut parsed = scanner.parsed;
    let (position, character) = (text.len() + 1, 0);
    if parsed.time_count > 0 && !parsed.has_valid_time() {
        parsed.warn(position, character, "The parsed time was invalid");
    }
    if parsed.has_date && !parsed.has_valid_date() {
        parsed.warn(position, character, "The parsed date was invalid");
    }
    parsed
}

impl Scanner {
    fn error(&mut self, text: &'static str) -> Refused {
        self.parsed.error(self.start, self.character, text);
        Refused
    }

    fn begin_time(&mut self) -> Result<(), Refused> {
        if self.parsed.time_count > 0 {
            return Err(self.error("Double time specification"));
        }
        self.parsed.time_count = 1;
        self.parsed.zero_time();
        Ok(())
    }

    fn begin_date(&mut self) -> Result<(), Refused> {
        if self.parsed.has_date {
            return Err(self.error("Double date specification"));
        }
        self.parsed.has_date = true;
        Ok(())
    }

    fn begin_zone(&mut self) -> Result<(), Refused> {
        self.parsed.zone_count += 1;
        match self.parsed.zone_count {
            1 => Ok(()),
            2 => {
                self.parsed.warn(self.start, self.character, "Double timezone specification");
                Err(Refused)
            }
            _ => Err(self.error("Double timezone specification")),
        }
    }

    fn signed(&mut self, cursor: &mut Cursor<'_>, longest: usize) -> i64 {
        match cursor.signed_number(longest) {
            Ok(value) => value,
            Err(NumberError::Missing) => {
                self.error("Found unexpected data");
                0
            }
            Err(NumberError::OutOfRange) => {
                self.error("Number out of range");
                0
            }
        }
    }

    fn zone(&mut self, cursor: &mut Cursor<'_>) {
        self.parsed.is_local = true;
        match zone(cursor) {
            Found::Zone(zone) => self.parsed.zone = Some(zone),
            Found::Unknown => {
                self.error("The timezone could not be found in the database");
            }
        }
    }

    fn year(&mut self, cursor: &mut Cursor<'_>, longest: usize) {
        self.parsed.year = cursor.number_and_length(longest).map(|(year, digits)| full_year(year, digits));
    }

    /// Hour, minute and, after a separator, second with its fraction.
    fn clock(&mut self, cursor: &mut Cursor<'_>) {
        self.parsed.hour = cursor.number(2);
        if matches!(cursor.peek(), b':' | b'.') {
            self.parsed.minute = cursor.number(2);
            if matches!(cursor.peek(), b':' | b'.') {
                self.parsed.second = cursor.number(2);
                if cursor.peek() == b'.' {
                    self.parsed.microsecond = cursor.fraction();
                }
            }
        }
    }

    fn meridian(&mut self, cursor: &mut Cursor<'_>) {
        cursor.skip_spaces();
        let hour = self.parsed.hour.unwrap_or(0);
        self.parsed.hour = Some(hour + cursor.meridian(hour));
    }

    fn timestamp(&mut self) -> Result<(), Refused> {
        let parsed = &mut self.parsed;
        parsed.has_relative = true;
        parsed.has_date = false;
        (parsed.day, parsed.month, parsed.year) = (Some(0), Some(0), Some(0));
        parsed.clear_time();
        self.begin_zone()?;
        let parsed = &mut self.parsed;
        (parsed.year, parsed.month, parsed.day) = (Some(1970), Some(1), Some(1));
        parsed.zero_time();
        parsed.is_local = true;
        parsed.zone = Some(Zone::Offset(0));
        Ok(())
    }

    /// Adds `amount` of the unit that is named next.
    fn add(&mut self, cursor: &mut Cursor<'_>, amount: i64, behavior: WeekdayBehavior, keep_time: bool) {
        let Some((unit, multiple)) = words::unit(cursor) else { return };
        let relative = &mut self.parsed.relative;
        let field = match unit {
            Unit::Microsecond => &mut relative.microsecond,
            Unit::Second => &mut relative.second,
            Unit::Minute => &mut relative.minute,
            Unit::Hour => &mut relative.hour,
            Unit::Day => &mut relative.day,
            Unit::Month => &mut relative.month,
            Unit::Year => &mut relative.year,
            Unit::Weekday => {
                relative.day += (if amount > 0 { amount - 1 } else { amount }) * 7;
                relative.weekday = Some(WeekdayStep { weekday: multiple, behavior });
                self.relative_to_day(keep_time);
                return;
            }
            Unit::Workday => {
                relative.special = Some(Special::Workdays(amount));
                self.relative_to_day(keep_time);
                return;
            }
        };
        match field.checked_add(amount.wrapping_mul(multiple)) {
            Some(sum) => *field = sum,
            None => {
                *field = field.wrapping_add(amount.wrapping_mul(multiple));
                self.error("Number out of range");
            }
        }
    }

    fn relative_to_day(&mut self, keep_time: bool) {
        self.parsed.has_relative = true;
        if !keep_time {
            self.parsed.clear_time();
        }
    }

    /// Reads one part. `text` is exactly what was recognised.
    fn take(&mut self, form: Form, text: &[u8]) -> Result<(), Refused> {
        let cursor = &mut Cursor::new(text);
        match form {
            Form::Now | Form::Separator | Form::EndOfLine => {}
            Form::Yesterday | Form::Tomorrow => {
                self.relative_to_day(false);
                self.parsed.relative.day = if form == Form::Tomorrow { 1 } else { -1 };
            }
            Form::Midnight => self.parsed.clear_time(),
            Form::Noon => {
                self.parsed.clear_time();
                self.begin_time()?;
                self.parsed.hour = Some(12);
            }
            Form::Timestamp => {
                self.timestamp()?;
                let seconds = self.signed(cursor, 24);
                self.parsed.relative.second = self.parsed.relative.second.wrapping_add(seconds);
            }
            Form::FractionalTimestamp => {
                self.timestamp()?;
                let seconds = self.signed(cursor, 24);
                let before = cursor.position;
                let fraction = self.signed(cursor, 6);
                let digits = (cursor.position - before) as i32;
                let microseconds = (fraction as f64 * 10f64.powi(7 - digits)) as i64;
                let relative = &mut self.parsed.relative;
                relative.second = relative.second.wrapping_add(seconds);
                relative.microsecond = if text.get(1) == Some(&b'-') { -microseconds } else { microseconds };
            }
            Form::EdgeOfMonth => {
                self.parsed.has_relative = true;
                let last = text[0].eq_ignore_ascii_case(&b'l');
                self.parsed.relative.edge = Some(if last { Edge::LastDay } else { Edge::FirstDay });
            }
            Form::BackOrFrontOf => self.back_or_front_of(cursor)?,
            Form::WeekdayOf => {
                self.parsed.has_relative = true;
                let (count, is_this) = words::ordinal(cursor);
                cursor.skip_spaces();
                let behavior = weekday_behavior(count > 0 || is_this);
                self.add(cursor, count, behavior, false);
                let special = if count > 0 { Special::WeekdayInMonth } else { Special::LastWeekdayInMonth };
                self.parsed.relative.special = Some(special);
            }
            Form::Ago => self.ago(),
            Form::DayName => self.day_name(cursor),
            Form::RelativeWeek | Form::RelativeText => self.relative_text(cursor, form == Form::RelativeWeek),
            Form::Relative => {
                self.parsed.has_relative = true;
                while !cursor.at_end() {
                    let amount = self.signed(cursor, 24);
                    cursor.skip_spaces();
                    self.add(cursor, amount, WeekdayBehavior::IncludeToday, true);
                }
            }
            Form::TimeZone => {
                self.begin_zone()?;
                cursor.skip_spaces();
                self.zone(cursor);
            }
            Form::Anything => {
                self.error("Unexpected character");
            }
            Form::Time12
            | Form::TimeMssql
            | Form::Time24
            | Form::TimeWithoutColon
            | Form::TimeWithSecondsWithoutColon => self.time(form, cursor)?,
            Form::DateAndTime | Form::CommonLog | Form::MonthDayTime12 | Form::MonthDayTime24 => {
                self.date_and_time(form, cursor)?
            }
            Form::Year => self.parsed.year = cursor.number(4),
            _ => {
                self.begin_date()?;
                self.date(form, cursor);
            }
        }
        Ok(())
    }

    fn back_or_front_of(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Refused> {
        self.parsed.clear_time();
        self.begin_time()?;
        let back = cursor.peek() == b'b';
        let hour = cursor.number(2).unwrap_or(0);
        self.parsed.hour = Some(if back { hour } else { hour - 1 });
        self.parsed.minute = Some(if back { 15 } else { 45 });
        if !cursor.at_end() {
            self.meridian(cursor);
        }
        Ok(())
    }

    fn ago(&mut self) {
        let relative = &mut self.parsed.relative;
        let (weekday, special) = (relative.weekday, relative.special);
        *relative = crate::relative::Relative { edge: relative.edge, ..relative.amounts(true) };
        // Microseconds keep their direction.
        relative.microsecond = -relative.microsecond;
        relative.weekday =
            weekday.map(|step| WeekdayStep { weekday: if step.weekday == 0 { -7 } else { -step.weekday }, ..step });
        relative.special = special.map(|special| match special {
            Special::Workdays(amount) => Special::Workdays(-amount),
            other => other,
        });
    }

    fn day_name(&mut self, cursor: &mut Cursor<'_>) {
        self.relative_to_day(false);
        let weekday = words::unit(cursor).map_or(0, |(_, weekday)| weekday);
        let behavior = match self.parsed.relative.weekday {
            Some(WeekdayStep { behavior: WeekdayBehavior::WithinWeek, .. }) => WeekdayBehavior::WithinWeek,
            _ => WeekdayBehavior::IncludeToday,
        };
        self.parsed.relative.weekday = Some(WeekdayStep { weekday, behavior });
    }

    fn relative_text(&mut self, cursor: &mut Cursor<'_>, week: bool) {
        self.parsed.has_relative = true;
        while !cursor.at_end() {
            let (count, is_this) = words::ordinal(cursor);
            cursor.skip_spaces();
            self.add(cursor, count, weekday_behavior(is_this), false);
            if week {
                let weekday = self.parsed.relative.weekday.map_or(1, |step| step.weekday);
                let behavior = WeekdayBehavior::WithinWeek;
                self.parsed.relative.weekday = Some(WeekdayStep { weekday, behavior });
            }
        }
    }

    fn time(&mut self, form: Form, cursor: &mut Cursor<'_>) -> Result<(), Refused> {
        if form == Form::TimeWithoutColon {
            return self.four_digits(cursor);
        }
        self.begin_time()?;
        match form {
            Form::Time12 => {
                self.clock(cursor);
                self.meridian(cursor);
            }
            Form::TimeMssql => {
                self.parsed.hour = cursor.number(2);
                self.parsed.minute = cursor.number(2);
                self.parsed.second = cursor.number(2);
                self.parsed.microsecond = cursor.fraction();
                self.meridian(cursor);
            }
            _ => {
                if form == Form::Time24 {
                    self.clock(cursor);
                } else {
                    self.parsed.hour = cursor.number(2);
                    self.parsed.minute = cursor.number(2);
                    self.parsed.second = cursor.number(2);
                }
                if !cursor.at_end() {
                    self.zone(cursor);
                }
            }
        }
        Ok(())
    }

    /// A time if there was none yet, then a year.
    fn four_digits(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Refused> {
        match self.parsed.time_count {
            0 => {
                self.parsed.hour = cursor.number(2);
                self.parsed.minute = cursor.number(2);
                self.parsed.second = Some(0);
            }
            1 => self.parsed.year = cursor.number(4),
            _ => return Err(self.error("Double time specification")),
        }
        self.parsed.time_count += 1;
        Ok(())
    }

    fn date_and_time(&mut self, form: Form, cursor: &mut Cursor<'_>) -> Result<(), Refused> {
        match form {
            Form::DateAndTime | Form::CommonLog => {
                self.begin_time()?;
                self.begin_date()?;
                if form == Form::CommonLog {
                    self.parsed.day = cursor.number(2);
                    self.parsed.month = Some(words::month_after_separators(cursor));
                    self.parsed.year = cursor.number(4);
                } else {
                    self.parsed.year = cursor.number(4);
                    self.parsed.month = cursor.number(2);
                    self.parsed.day = cursor.number(2);
                }
                self.parsed.hour = cursor.number(2);
                self.parsed.minute = cursor.number(2);
                self.parsed.second = cursor.number(2);
                if form == Form::CommonLog {
                    cursor.skip_spaces();
                    self.zone(cursor);
                } else if cursor.peek() == b'.' {
                    self.parsed.microsecond = cursor.fraction();
                    if !cursor.at_end() {
                        self.zone(cursor);
                    }
                }
            }
            _ => {
                self.begin_date()?;
                self.parsed.month = Some(words::month_after_separators(cursor));
                self.parsed.day = cursor.number(2);
                self.begin_time()?;
                self.clock_after_date(cursor);
                if form == Form::MonthDayTime12 {
                    self.meridian(cursor);
                } else if !cursor.at_end() {
                    self.zone(cursor);
                }
            }
        }
        Ok(())
    }

    /// Any bytes may stand between the date and the time.
    fn clock_after_date(&mut self, cursor: &mut Cursor<'_>) {
        self.parsed.hour = cursor.number(2);
        self.parsed.minute = cursor.number(2);
        if matches!(cursor.peek(), b':' | b'.') {
            self.parsed.second = cursor.number(2);
            if cursor.peek() == b'.' {
                self.parsed.microsecond = cursor.fraction();
            }
        }
    }

    fn date(&mut self, form: Form, cursor: &mut Cursor<'_>) {
        match form {
            Form::American => {
                self.parsed.month = cursor.number(2);
                self.parsed.day = cursor.number(2);
                if cursor.peek() == b'/' {
                    self.year(cursor, 4);
                }
            }
            Form::IsoDate | Form::IsoDateLongYear => {
                let longest = if form == Form::IsoDate { 4 } else { 19 };
                self.parsed.year = Some(self.signed(cursor, longest));
                self.parsed.month = cursor.number(2);
                self.parsed.day = cursor.number(2);
            }
            Form::IsoDateShortYear | Form::GnuDate => {
                self.year(cursor, 4);
                self.parsed.month = cursor.number(2);
                self.parsed.day = cursor.number(2);
            }
            Form::YearAndMonth => {
                self.year(cursor, 4);
                self.parsed.month = cursor.number(2);
                self.parsed.day = Some(1);
            }
            Form::DayMonthNameYear | Form::DayMonthName => {
                self.parsed.day = cursor.number(2);
                cursor.skip_day_suffix();
                self.parsed.month = Some(words::month_after_separators(cursor));
                if form == Form::DayMonthNameYear {
                    self.year(cursor, 4);
                }
            }
            Form::PointedDate | Form::PointedDateShortYear => {
                self.parsed.day = cursor.number(2);
                self.parsed.month = cursor.number(2);
                if form == Form::PointedDate {
                    self.parsed.year = cursor.number(4);
                } else {
                    self.year(cursor, 2);
                }
            }
            Form::MonthNameYear => {
                self.parsed.month = Some(words::month_after_separators(cursor));
                self.year(cursor, 4);
                self.parsed.day = Some(1);
            }
            Form::YearMonthName => {
                self.year(cursor, 4);
                self.parsed.month = Some(words::month_after_separators(cursor));
                self.parsed.day = Some(1);
            }
            Form::MonthNameDay | Form::PostgresMonthFirst => {
                self.parsed.month = Some(words::month_after_separators(cursor));
                self.parsed.day = cursor.number(2);
                self.year(cursor, 4);
            }
            Form::PostgresYearFirst => {
                self.year(cursor, 4);
                self.parsed.month = Some(words::month_after_separators(cursor));
                self.parsed.day = cursor.number(2);
            }
            Form::DateWithoutSeparators => {
                self.parsed.year = cursor.number(4);
                self.parsed.month = cursor.number(2);
                self.parsed.day = cursor.number(2);
            }
            Form::DayOfYear => {
                self.year(cursor, 4);
                self.parsed.day = cursor.number(3);
                self.parsed.month = Some(1);
            }
            Form::IsoWeekDay | Form::IsoWeek => {
                self.parsed.has_relative = true;
                let year = cursor.number(4).unwrap_or(0);
                let week = cursor.number(2).unwrap_or(1);
                let weekday = if form == Form::IsoWeekDay { cursor.number(1).unwrap_or(1) } else { 1 };
                (self.parsed.year, self.parsed.month, self.parsed.day) = (Some(year), Some(1), Some(1));
                self.parsed.relative.day = day_of_iso_week(year, week, weekday);
            }
            Form::MonthName => self.parsed.month = Some(words::month(cursor)),
            _ => unreachable!("the other forms are not dates alone"),
        }
    }
}

fn weekday_behavior(include_today: bool) -> WeekdayBehavior {
    if include_today { WeekdayBehavior::IncludeToday } else { WeekdayBehavior::ExcludeToday }
}
