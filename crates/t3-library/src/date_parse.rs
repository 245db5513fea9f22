//! Text to dates, after templates: items of fields, literals and separators, of which the one that takes most of the
//! text wins; what is left is matched again, until nothing is.

use crate::calendar::{Calendar, Date, iso_weekday};
use crate::date_format::{ERAS, HALVES, Locale, MONTHS, ORDER, ORDINALS, SHORT_MONTHS, ordinal};
use crate::zone::Zone;

/// Templates that are always known. `[us]` and `[eu]` are for one order of day and month.
const TEMPLATES: &[&str] = &[
    "[us]m / d / y",
    "[us]m / d",
    "[us]m - d",
    "[us]m . d",
    "[us]m .\t- d .\t- y",
    "[eu]d / m / y",
    "[eu]d / m",
    "[eu]d - m",
    "[eu]d . m",
    "[eu]d .\t- m .\t- y",
    "yyyy mm dd",
    "yyyy .? doy",
    "m / y",
    "m - y",
    "month _.\t-* ddth _,.\t+ ye",
    "ddth _.\t-* month _,.\t-* ye",
    "month _.\t-* ddth",
    "ddth _.\t-* month",
    "month - dd - ye",
    "month _\t.-* y",
    "month",
    "+- y - mm - dd",
    "y / m / d",
    "y - m - d",
    "y / m",
    "y - m",
    "ye _\t.-* month _\t.-* d",
    "ye _\t.-* month",
    "ye - month - dd",
    "yyyy",
    "era _* y",
    "y _* era",
    "h _? ampm",
    "h : mi",
    "h .: mi _? ampm",
    "h .: mi .: ss _? ampm",
    "h : mi : ss",
    "h : mi : ss .: ssfrac _? ampm",
    "h : mi : ss .: ssfrac",
    "tT? hh .: mi",
    "tT? hh mi",
    "tT? hh .: mi .: ss",
    "tT? hh mi SS",
    "tT? hh .: mi .: ss _? tz",
    "tT? hh .: mi .: ss . ssfrac",
    "tz",
    "d / mon / yyyy : hh : mi : ss _ gmtofs",
    "yyyy : mm : dd _ hh : mi : ss",
    "yyyy -? \\W W",
    "yyyy - mm - dd \\T hh : mi : ss . ssfrac",
    "yyyy - mm - dd \\T hh : mi : ss . ssfrac gmtofs",
    "@ unix",
    "yyyy mm dd \\T hh : mi : ss",
    "yyyy mm dd \\t hh mi ss",
    "yyyy - m - d \\T h : i : s",
];

/// The months in Roman numbers, in capitals only.
const ROMAN: &str = "^I,^II,^III,^IV,^V,^VI,^VII,^VIII,^IX,^X,^XI,^XII";

/// What was found so far.
#[derive(Debug, Clone, Default)]
struct Fields {
    /// 1 and -1 for a sign, 2 and -2 for an era.
    era: i32,
    year: Option<i32>,
    needs_century: bool,
    month: Option<i32>,
    day: Option<i32>,
    /// ISO weeks times seven and the weekday.
    week: Option<i32>,
    /// 1 before noon, 2 after.
    half: usize,
    hour: Option<i32>,
    minute: Option<i32>,
    second: Option<i32>,
    millisecond: Option<i32>,
    zone: Option<Zone>,
    /// An exact moment, in seconds since 1970.
    unix: Option<i64>,
}

/// Years beyond this are out of range.
const MAX_YEAR: i32 = 5_879_650;

/// Digits in ranges: pairs of least and largest digit, with commas between that may be left out.
fn digits(text: &mut &str, pattern: &str) -> Option<i32> {
    let mut rest = text.bytes().peekable();
    let mut pattern = pattern.bytes();
    let mut number = 0i32;
    let mut taken = 0;
    while let Some(low) = pattern.next() {
        if low == b',' {
            taken += usize::from(rest.next_if_eq(&b',').is_some());
            continue;
        }
        let high = pattern.next()?;
        let digit = rest.next()?;
        if !(low..=high).contains(&digit) {
            return None;
        }
        number = number * 10 + i32::from(digit - b'0');
        taken += 1;
    }
    *text = &text[taken..];
    Some(number)
}

fn any_digits(text: &mut &str, patterns: &[&str]) -> Option<i32> {
    patterns.iter().find_map(|pattern| digits(text, pattern))
}

/// A word that does not go on with another letter or digit; how many bytes it takes.
fn literal(text: &str, word: &str) -> Option<usize> {
    let (word, exact) = match word.strip_prefix('^') {
        Some(word) => (word, true),
        None => (word, false),
    };
    let mut rest = text.chars();
    let mut last = ' ';
    for c in word.chars() {
        last = rest.next()?;
        if last != c && (exact || !crate::case::same_folded(last, c)) {
            return None;
        }
    }
    let next = rest.clone().next();
    let goes_on = next.is_some_and(|next| {
        last.is_ascii_alphabetic() && next.is_ascii_alphabetic() || last.is_ascii_digit() && next.is_ascii_digit()
    });
    (!goes_on && !word.is_empty()).then(|| text.len() - rest.as_str().len())
}

/// The longest of a list's words at the start of a text; its number from 1.
fn listed(text: &mut &str, list: &str) -> Option<usize> {
    let names = list.split(',').enumerate().flat_map(|(at, names)| names.trim().split('=').map(move |name| (at, name)));
    let found = names.filter_map(|(at, name)| Some((literal(text, name)?, at + 1)));
    // The first of the longest.
    let (length, number) = found.fold(None, |best: Option<(usize, usize)>, row| match best {
        Some(best) if best.0 >= row.0 => Some(best),
        _ => Some(row),
    })?;
    *text = &text[length..];
    Some(number)
}

/// The years that can be written, by their digits.
const LONG_YEARS: [&str; 5] = ["09,090909,090909", "090909,090909", "0909,090909", "09090909", "090909"];
const SHORT_YEARS: [&str; 2] = ["0909", "09"];
const DAYS: [&str; 3] = ["0209", "3301", "09"];

impl Fields {
    fn date_defaults(&mut self) {
        self.month.get_or_insert(1);
        self.day.get_or_insert(1);
    }

    fn time_defaults(&mut self, minute: bool, second: bool) {
        if minute {
            self.minute.get_or_insert(0);
        }
        if second {
            self.second.get_or_insert(0);
        }
        self.millisecond.get_or_insert(0);
    }

    /// Matches a template at the start of a text.
    fn template(&mut self, text: &mut &str, template: &str, locale: &Locale) -> Option<()> {
        *text = text.trim_start();
        let mut items = template.split(' ').filter(|item| !item.is_empty());
        while !text.is_empty() {
            let Some(item) = items.next() else { break };
            self.item(text, item, locale)?;
        }
        if items.next().is_some() {
            return None;
        }
        *text = text.trim_start();
        Some(())
    }

    /// A week of the year and, after a hyphen or none, a day of the week.
    fn week_item(&mut self, text: &mut &str) -> Option<()> {
        let week = any_digits(text, &["0019", "1409", "5503"])?;
        let rest = text.strip_prefix('-').unwrap_or(text);
        let day = rest.bytes().next().filter(|digit| (b'1'..=b'7').contains(digit));
        if day.is_some() {
            *text = &rest[1..];
        }
        self.week = Some(week * 7 + day.map_or(1, |digit| i32::from(digit - b'0')));
        Some(())
    }

    /// A year, with or without its century.
    fn year_item(&mut self, text: &mut &str, item: &str) -> Option<()> {
        match item {
            "y" => match any_digits(text, &LONG_YEARS) {
                Some(year) => self.year = Some(year),
                None => (self.year, self.needs_century) = (Some(any_digits(text, &SHORT_YEARS)?), true),
            },
            "yy" => {
                (self.year, self.needs_century) = (Some(digits(text, "0909")?), true);
            }
            _ => {
                self.year = Some(digits(text, "09090909")?);
            }
        }
        self.date_defaults();
        Some(())
    }

    /// Hours, minutes and seconds.
    fn time_item(&mut self, text: &mut &str, item: &str) -> Option<()> {
        match item {
            "mi" => {
                self.minute = Some(digits(text, "0509")?);
                self.time_defaults(false, true);
            }
            "i" => {
                self.minute = Some(any_digits(text, &["0509", "09"])?);
                self.time_defaults(false, true);
            }
            "h" => {
                self.hour = Some(any_digits(text, &["0019", "1102", "09"])?);
                self.time_defaults(true, true);
            }
            "hh" => {
                self.hour = Some(any_digits(text, &["0109", "2204"])?);
                self.time_defaults(true, true);
            }
            "ss" => {
                self.second = Some(digits(text, "0509")?);
                self.time_defaults(false, false);
            }
            "s" => {
                self.second = Some(any_digits(text, &["0509", "09"])?);
                self.time_defaults(false, false);
            }
            "ssfrac" => self.fraction(text)?,
            _ => return None,
        }
        Some(())
    }

    fn item(&mut self, text: &mut &str, item: &str, locale: &Locale) -> Option<()> {
        match item {
            "d" => self.day = Some(any_digits(text, &DAYS)?),
            "dd" => self.day = Some(any_digits(text, &["0009", "1209", "3301"])?),
            "ddth" => {
                let day = any_digits(text, &DAYS)?;
                self.day = Some(day);
                if let Some(length) = literal(text, locale.item(ORDINALS, ordinal(day), true)) {
                    *text = &text[length..];
                }
            }
            "doy" => {
                if let Some(day) = any_digits(text, &["000019", "001909", "120909", "330509", "336606"]) {
                    (self.month, self.day) = (Some(1), Some(day));
                }
            }
            "month" | "mon" => {
                let lists = [locale.get(MONTHS), locale.get(SHORT_MONTHS), ROMAN];
                let lists = if item == "mon" { &lists[1..2] } else { &lists[..] };
                let month = lists.iter().find_map(|list| listed(text, list))?;
                self.month = Some(month as i32);
                self.day.get_or_insert(1);
            }
            "m" | "mm" => {
                let patterns = ["0009", "1102", "09"];
                self.month = Some(any_digits(text, if item == "mm" { &patterns[..2] } else { &patterns })?);
                self.day.get_or_insert(1);
            }
            "W" => self.week_item(text)?,
            "y" | "yy" | "yyyy" => self.year_item(text, item)?,
            "ye" => self.year_with_era(text, locale)?,
            "era" => self.era = if listed(text, locale.get(ERAS))? == 1 { 2 } else { -2 },
            "mi" | "i" | "h" | "hh" | "ss" | "s" | "ssfrac" => self.time_item(text, item)?,
            "unix" => self.unix(text)?,
            "ampm" => self.half = listed(text, locale.get(HALVES))?,
            "tz" => {
                if self.offset(text).is_none() {
                    self.zone_name(text)?;
                }
            }
            "gmtofs" => self.offset(text)?,
            "+-" => {
                self.era = match text.chars().next()? {
                    '+' => 1,
                    '-' => -1,
                    _ => return None,
                };
                *text = &text[1..];
            }
            separators => separated(text, separators)?,
        }
        Some(())
    }

    fn year_with_era(&mut self, text: &mut &str, locale: &Locale) -> Option<()> {
        let era = |number| if number == 1 { 2 } else { -2 };
        let before = listed(text, locale.get(ERAS)).map(era);
        if before.is_some() {
            *text = text.trim_start();
        }
        let length = text.len();
        let year = any_digits(text, &LONG_YEARS).or_else(|| any_digits(text, &SHORT_YEARS))?;
        let length = length - text.len();
        self.year = Some(year);
        let after = || {
            let mut rest = text.trim_start();
            let number = listed(&mut rest, locale.get(ERAS))?;
            Some((era(number), rest))
        };
        match (before, after()) {
            (Some(era), _) => self.era = era,
            (None, Some((era, rest))) => {
                self.era = era;
                *text = rest;
            }
            (None, None) => self.needs_century |= length <= 2,
        }
        Some(())
    }

    /// Digits of a second's fraction, rounded to milliseconds, ties to even.
    fn fraction(&mut self, text: &mut &str) -> Option<()> {
        let length = text.bytes().take_while(u8::is_ascii_digit).count();
        if length == 0 {
            return None;
        }
        let digit = |at: usize| text.as_bytes()[..length].get(at).map_or(0, |digit| i32::from(digit - b'0'));
        let number = digit(0) * 100 + digit(1) * 10 + digit(2);
        let more = (4..length).any(|at| digit(at) != 0);
        let up = digit(3) > 5 || digit(3) == 5 && (more || number % 2 == 1);
        self.millisecond = Some(number + i32::from(up));
        *text = &text[length..];
        Some(())
    }

    fn unix(&mut self, text: &mut &str) -> Option<()> {
        let sign = usize::from(text.starts_with('-'));
        let length = sign + text[sign..].bytes().take_while(u8::is_ascii_digit).count();
        self.unix = Some(text[..length].parse().ok()?);
        *text = &text[length..];
        Some(())
    }

    fn offset(&mut self, text: &mut &str) -> Option<()> {
        let gmt = literal(text, "^GMT").unwrap_or(0);
        let mut rest = &text[gmt..];
        let sign = match rest.bytes().next()? {
            b'+' => 1,
            b'-' => -1,
            _ => return None,
        };
        rest = &rest[1..];
        let short = if gmt > 0 { digits(&mut rest, "09") } else { None };
        let hours = digits(&mut rest, "0509").or(short)?;
        let part = |rest: &mut &str| match rest.strip_prefix(':') {
            Some(after) => {
                *rest = after;
                digits(rest, "0509").map(Some)
            }
            None => Some(digits(rest, "0509")),
        };
        let minutes = part(&mut rest)?.unwrap_or(0);
        let seconds = part(&mut rest)?.unwrap_or(0);
        self.zone = Some(Zone::fixed(sign * (hours * 3600 + minutes * 60 + seconds))?);
        *text = rest;
        Some(())
    }

    fn zone_name(&mut self, text: &mut &str) -> Option<()> {
        let bytes = text.as_bytes();
        let letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
        let length = (0..bytes.len())
            .take_while(|at| letter(*at) || matches!(bytes[*at], b'_' | b'/') && letter(at + 1))
            .count();
        let name = &text[..length];
        // A lone letter is no zone, not even Z.
        if length < 2 || !letter(0) {
            return None;
        }
        // The abbreviations of zones are written in capitals or not; other names have a slash.
        self.zone = Some(Zone::named(name)?);
        *text = &text[length..];
        Some(())
    }

    /// The moment, with what is missing taken from the reference's local date.
    fn moment(mut self, calendar: Calendar, reference: i64, zone: Zone) -> i64 {
        if let Some(seconds) = self.unix {
            return seconds * 1000;
        }
        let zone = self.zone.take().unwrap_or(zone);
        let local = reference + zone.at(reference).0;
        let today = calendar.date(local.div_euclid(86_400_000));
        if let Some(year) = &mut self.year {
            match self.era {
                -1 => *year = -*year,
                -2 => *year = 1 - *year,
                _ => {}
            }
        }
        if self.era.abs() == 2 {
            self.needs_century = false;
        }
        let mut year = self.year.unwrap_or(today.year);
        if self.needs_century {
            year += today.year / 100 * 100;
            if year < today.year - 50 {
                year += 100;
            }
            if year > today.year + 49 {
                year -= 100;
            }
        }
        match (self.half, self.hour) {
            (1 | 3, Some(12)) => self.hour = Some(0),
            (2 | 4, Some(hour)) if hour < 12 => self.hour = Some(hour + 12),
            _ => {}
        }
        let day = match self.week {
            Some(week) if self.year.is_some() => {
                let fourth = Calendar::Gregorian.day(Date { year, month: 1, day: 4 });
                let shift = iso_weekday(fourth) + 3;
                Calendar::Gregorian.day(Date { year, month: 1, day: week - shift })
            }
            _ => {
                let (month, day) = (self.month.unwrap_or(today.month), self.day.unwrap_or(today.day));
                calendar.day(Date { year, month, day })
            }
        };
        let part = |part: Option<i32>| i64::from(part.unwrap_or(0));
        let time =
            ((part(self.hour) * 60 + part(self.minute)) * 60 + part(self.second)) * 1000 + part(self.millisecond);
        zone.to_universal(day * 86_400_000 + time)
    }
}

/// A set of separators: one of its characters, or as many as `*`, `+` or `?` at its end says.
fn separated(text: &mut &str, item: &str) -> Option<()> {
    let (set, least, most) = match item.chars().last()? {
        '*' => (&item[..item.len() - 1], 0, usize::MAX),
        '+' => (&item[..item.len() - 1], 1, usize::MAX),
        '?' => (&item[..item.len() - 1], 0, 1),
        _ => (item, 1, 1),
    };
    let mut known = Vec::new();
    let mut chars = set.chars();
    while let Some(c) = chars.next() {
        known.push(match c {
            '\\' => chars.next().unwrap_or('\\'),
            '_' => ' ',
            c => c,
        });
    }
    let count = text.chars().take(most).take_while(|c| known.contains(c)).count();
    if count < least {
        return None;
    }
    *text = &text[text.char_indices().nth(count).map_or(text.len(), |(at, _)| at)..];
    Some(())
}

/// What a text is parsed against.
pub struct Rules<'a> {
    pub calendar: Calendar,
    pub locale: &'a Locale,
    /// The program's own templates; `None` among them stands for those known here.
    pub templates: Vec<Option<String>>,
    /// The moment that missing parts of a date come from.
    pub reference: i64,
    pub zone: Zone,
}

/// The moment that a text means, and the templates that it was matched with.
pub fn parse(text: &str, rules: Rules<'_>) -> Option<(i64, Vec<String>)> {
    let order = format!("[{}]", rules.locale.get(ORDER));
    let known: Vec<&str> = rules
        .templates
        .iter()
        .flat_map(|template| match template {
            Some(template) => vec![template.as_str()],
            None => TEMPLATES.to_vec(),
        })
        .collect();
    let mut rest = text;
    let mut fields = Fields::default();
    let mut used = Vec::new();
    while !rest.is_empty() {
        let mut best: Option<(usize, Fields, &str)> = None;
        for template in &known {
            let body = match template.strip_prefix('[').and_then(|after| after.split_once(']')) {
                Some((_, body)) if template.starts_with(&order) => body,
                Some(_) => continue,
                None => template,
            };
            let (mut left, mut found) = (rest, fields.clone());
            if found.template(&mut left, body, rules.locale).is_some()
                && best.as_ref().is_none_or(|best| left.len() < best.0)
                && left.len() < rest.len()
            {
                best = Some((left.len(), found, template));
            }
        }
        let (left, found, template) = best?;
        rest = rest[rest.len() - left..].trim_start_matches([' ', '\t', ';', ',', ':']);
        fields = found;
        used.push(template.to_owned());
    }
    if fields.year.is_some_and(|year| year >= MAX_YEAR) {
        return None;
    }
    Some((fields.moment(rules.calendar, rules.reference, rules.zone), used))
}
