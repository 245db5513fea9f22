//! The rule for the future of a zone, as in the `TZ` variable of POSIX: `CET-1CEST,M3.5.0,M10.5.0/3`.

use super::tzif::LocalType;
use crate::calendar::{Civil, days_from_civil, days_in_month, is_leap, year_like};

/// A day of the year and a time on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    day: Day,
    /// Seconds after midnight; may be outside the day.
    time: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Day {
    /// `Jn`: 1 to 365, the leap day is never counted.
    Julian(i64),
    /// `n`: 0 to 365.
    Ordinal(i64),
    /// `Mm.w.d`: weekday `d` (0: Sunday) of week `w` (5: the last) of month `m`.
    Weekday { month: i64, week: i64, weekday: i64 },
}

/// Standard time, and daylight saving time with its begin and end.
#[derive(Debug)]
pub struct PosixRule {
    standard: LocalType,
    saving: Option<(LocalType, Change, Change)>,
}

struct Parser<'a> {
    rest: &'a [u8],
}

impl Parser<'_> {
    fn skip(&mut self, byte: u8) -> bool {
        let found = self.rest.first() == Some(&byte);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    fn while_matches(&mut self, wanted: impl Fn(u8) -> bool) -> String {
        let end = self.rest.iter().position(|&byte| !wanted(byte)).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        String::from_utf8_lossy(text).into_owned()
    }

    fn name(&mut self) -> Option<String> {
        let name = if self.skip(b'<') {
            let name = self.while_matches(|byte| byte != b'>');
            self.skip(b'>').then_some(name)?
        } else {
            self.while_matches(|byte| byte.is_ascii_alphabetic())
        };
        (!name.is_empty()).then_some(name)
    }

    fn number(&mut self) -> Option<i64> {
        self.while_matches(|byte| byte.is_ascii_digit()).parse().ok()
    }

    /// `[+-]h[:m[:s]]` in seconds.
    fn time(&mut self) -> Option<i64> {
        let sign = if self.skip(b'-') {
            -1
        } else {
            self.skip(b'+');
            1
        };
        let mut seconds = self.number()? * 3600;
        for unit in [60, 1] {
            if self.skip(b':') {
                seconds += self.number()? * unit;
            }
        }
        Some(sign * seconds)
    }

    fn change(&mut self) -> Option<Change> {
        if !self.skip(b',') {
            return None;
        }
        let day = if self.skip(b'M') {
            let month = self.number().filter(|month| (1..=12).contains(month))?;
            self.skip(b'.');
            let week = self.number()?;
            self.skip(b'.');
            Day::Weekday { month, week, weekday: self.number()? }
        } else if self.skip(b'J') {
            Day::Julian(self.number()?)
        } else {
            Day::Ordinal(self.number()?)
        };
        let time = if self.skip(b'/') { self.time()? } else { 7200 };
        Some(Change { day, time })
    }
}

impl Change {
    /// Seconds from the epoch to the change in a year, on the clock in force before it.
    fn local_seconds(self, year: i64) -> i64 {
        let start = days_from_civil(year, 1, 1);
        let day = match self.day {
            Day::Julian(day) => day - 1 + (is_leap(year) && day >= 60) as i64,
            Day::Ordinal(day) => day,
            Day::Weekday { month, week, weekday } => {
                let like = year_like(year);
                let first = days_from_civil(like, month, 1);
                let first_weekday = (first + 4).rem_euclid(7);
                let mut day = (weekday - first_weekday).rem_euclid(7) + (week - 1) * 7;
                if day >= days_in_month(year, month) {
                    day -= 7;
                }
                first - days_from_civil(like, 1, 1) + day
            }
        };
        start.wrapping_mul(86_400).wrapping_add(day * 86_400 + self.time)
    }
}

impl PosixRule {
    /// Reads a rule; `None` if the text is none.
    pub fn parse(text: &str) -> Option<PosixRule> {
        let mut parser = Parser { rest: text.as_bytes() };
        let name = parser.name()?;
        let offset = -parser.time()?;
        let standard = LocalType { offset, daylight_saving: false, abbreviation: name.into() };
        if parser.rest.is_empty() {
            return Some(PosixRule { standard, saving: None });
        }
        let name = parser.name()?;
        let given = parser.rest.first().is_some_and(|&byte| byte != b',');
        let offset = if given { -parser.time()? } else { offset + 3600 };
        let saving = LocalType { offset, daylight_saving: true, abbreviation: name.into() };
        let (begin, end) = (parser.change()?, parser.change()?);
        Some(PosixRule { standard, saving: Some((saving, begin, end)) })
    }

    /// Does the zone change its clocks every year?
    pub fn has_changes(&self) -> bool {
        self.saving.is_some()
    }

    /// The changes of a year, in order.
    pub fn changes(&self, year: i64) -> Vec<(i64, &LocalType)> {
        let Some((saving, begin, end)) = &self.saving else { return Vec::new() };
        let mut changes = vec![
            (begin.local_seconds(year).wrapping_sub(self.standard.offset), saving),
            (end.local_seconds(year).wrapping_sub(saving.offset), &self.standard),
        ];
        changes.sort_by_key(|&(moment, _)| moment);
        changes
    }

    /// The type in force at a moment, and since when. `None`: the next change does not fit into 64 bits.
    pub fn at(&self, timestamp: i64) -> Option<(&LocalType, i64)> {
        if self.saving.is_none() {
            return Some((&self.standard, i64::MIN));
        }
        let year = Civil::from_seconds(timestamp).year;
        let changes: Vec<_> = (year - 1..=year + 1).flat_map(|year| self.changes(year)).collect();
        let pair = changes.windows(2).find(|pair| timestamp < pair[1].0)?;
        Some((pair[0].1, pair[0].0))
    }
}

#[cfg(test)]
mod tests {
    use super::PosixRule;

    #[test]
    fn central_europe() {
        let rule = PosixRule::parse("CET-1CEST,M3.5.0,M10.5.0/3").expect("a rule");
        // 2025-03-30 01:00 UTC and 2025-10-26 01:00 UTC
        let moments: Vec<i64> = rule.changes(2025).into_iter().map(|(moment, _)| moment).collect();
        assert_eq!(moments, [1_743_296_400, 1_761_440_400]);
        let at = |moment| rule.at(moment).expect("a year that fits").0;
        assert_eq!(&*at(1_743_296_399).abbreviation, "CET");
        assert_eq!(at(1_743_296_400).offset, 7200);
    }
}
