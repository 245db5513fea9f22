//! The compiled form of a zone of the IANA database (RFC 9636), and looking up an offset in it.

use super::posix::PosixRule;
use std::rc::Rc;

/// One kind of local time that a zone has had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalType {
    /// Seconds east of UTC.
    pub offset: i64,
    pub daylight_saving: bool,
    pub abbreviation: Rc<str>,
}

/// A zone's history and future.
pub struct Rules {
    pub name: String,
    /// Moments from which a type is in force, ascending.
    pub transitions: Vec<(i64, usize)>,
    pub types: Vec<LocalType>,
    /// The rule after the last transition.
    pub future: Option<PosixRule>,
    /// The type for moments whose changes of the clocks do not fit into 64 bits.
    pub unknown: LocalType,
}

/// Reads big-endian numbers; `None` at the end of the data.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn number(&mut self, size: usize) -> Option<i64> {
        let bytes = self.take(size)?;
        let negative = bytes.first().is_some_and(|byte| byte & 0x80 != 0);
        let start = if negative { -1 } else { 0 };
        Some(bytes.iter().fold(start, |value, &byte| value << 8 | byte as i64))
    }

    fn byte(&mut self) -> Option<usize> {
        Some(self.take(1)?[0] as usize)
    }

    /// The six counts of a header.
    fn header(&mut self) -> Option<[usize; 6]> {
        let magic = self.take(4)?;
        self.take(16)?;
        let mut counts = [0; 6];
        for count in &mut counts {
            *count = usize::try_from(self.number(4)?).ok()?;
        }
        (magic == b"TZif").then_some(counts)
    }
}

impl Rules {
    /// Reads a file of version 2 or newer.
    pub fn parse(name: &str, data: &[u8]) -> Option<Rules> {
        let mut reader = Reader { rest: data };
        let [utc, standard, leaps, times, types, letters] = reader.header()?;
        reader.take(times * 5 + types * 6 + letters + leaps * 8 + standard + utc)?;
        let [utc, standard, leaps, times, types, letters] = reader.header()?;
        let mut moments = Vec::with_capacity(times);
        for _ in 0..times {
            moments.push(reader.number(8)?);
        }
        let indices = reader.take(times)?;
        let mut rows = Vec::with_capacity(types);
        for _ in 0..types {
            rows.push((reader.number(4)?, reader.byte()? != 0, reader.byte()?));
        }
        let letters = reader.take(letters)?;
        reader.take(leaps * 12 + standard + utc)?;
        let abbreviation = |start: usize| {
            let text = letters.get(start..).unwrap_or_default();
            let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
            Rc::from(String::from_utf8_lossy(&text[..end]))
        };
        let types: Vec<LocalType> = rows
            .into_iter()
            .map(|(offset, daylight_saving, start)| LocalType {
                offset,
                daylight_saving,
                abbreviation: abbreviation(start),
            })
            .collect();
        if types.is_empty() || indices.iter().any(|&index| index as usize >= types.len()) {
            return None;
        }
        let footer = String::from_utf8_lossy(reader.rest).trim_matches('\n').to_owned();
        Some(Rules {
            name: name.to_owned(),
            unknown: LocalType { offset: 0, daylight_saving: false, abbreviation: abbreviation(0) },
            transitions: moments.into_iter().zip(indices.iter().map(|&index| index as usize)).collect(),
            types,
            future: PosixRule::parse(&footer),
        })
    }

    /// The type in force at a moment and the transition that began it (`i64::MIN`: none did).
    pub fn at(&self, timestamp: i64) -> (&LocalType, i64) {
        let next = self.transitions.partition_point(|&(moment, _)| moment <= timestamp);
        let Some(&(moment, index)) = next.checked_sub(1).and_then(|last| self.transitions.get(last)) else {
            let fixed = self.future.as_ref().filter(|_| self.transitions.is_empty());
            return (fixed.map_or(&self.types[0], |rule| rule.at(timestamp).unwrap_or((&self.unknown, 0)).0), i64::MIN);
        };
        match &self.future {
            Some(rule) if next == self.transitions.len() => {
                let (kind, since) = rule.at(timestamp).unwrap_or((&self.unknown, 0));
                (kind, since.max(moment))
            }
            _ => (&self.types[index], moment),
        }
    }
}
