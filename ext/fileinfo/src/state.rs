//! What a run over rules remembers from one to the next.

use crate::input::Bytes;
use crate::output::Output;
use crate::rule::{self, LONGEST, Rule, Rules};
use std::rc::Rc;

/// What is known of a level of rules.
#[derive(Clone, Copy, Default)]
pub struct Level {
    /// Where the last match of the level ended.
    pub end: i32,
    /// Has a rule of the level matched since the level above did?
    pub got_match: bool,
    /// Did the last rule of the level match? Conditions ask for it.
    pub last_match: bool,
}

/// The part of the file that a search or a pattern looks at, and what it found.
#[derive(Clone)]
pub struct Search<'a> {
    pub bytes: Bytes<'a>,
    pub start: usize,
    pub end: usize,
    /// The offset of the match in the file.
    pub offset: usize,
    /// The length of the match.
    pub matched: usize,
    /// Is there anything to look at?
    pub is_set: bool,
}

impl Search<'_> {
    /// The bytes that are looked at.
    pub fn region(&self) -> &[u8] {
        self.bytes.get(self.start..self.end).unwrap_or_default()
    }
}

/// The state of a run.
pub struct State<'a, 'o> {
    pub out: &'o mut Output,
    pub sets: &'a [Rc<Rules>],
    pub levels: Vec<Level>,
    /// Where the current rule looks.
    pub offset: u32,
    /// The offset of the last test that counts from the end.
    pub end_offset: u32,
    /// What the current rule has read.
    pub value: [u8; LONGEST],
    pub search: Search<'a>,
    /// The line of the current rule, for messages.
    pub line: u32,
    /// The permissions of the file, which some descriptions ask for.
    pub mode: u32,
}

/// Levels that are made at once.
const MORE_LEVELS: usize = 20;

impl<'a, 'o> State<'a, 'o> {
    /// A state before the first rule.
    pub fn new(out: &'o mut Output, sets: &'a [Rc<Rules>], mode: u32) -> State<'a, 'o> {
        let bytes = Bytes::Borrowed(&[]);
        let search = Search { bytes, start: 0, end: 0, offset: 0, matched: 0, is_set: false };
        let levels = Vec::new();
        State { out, sets, levels, offset: 0, end_offset: 0, value: [0; LONGEST], search, line: 0, mode }
    }

    /// Starts a level.
    pub fn enter(&mut self, level: usize) {
        let entry = self.level(level);
        entry.got_match = false;
        entry.last_match = false;
    }

    /// A level, which is made if it is not there.
    pub fn level(&mut self, level: usize) -> &mut Level {
        if level >= self.levels.len() {
            self.levels.resize(level + MORE_LEVELS, Level::default());
        }
        &mut self.levels[level]
    }

    /// The first bytes of the value.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        std::array::from_fn(|index| self.value[index])
    }

    /// The value as a number of up to eight bytes.
    pub fn number(&self, size: usize) -> u64 {
        let number = u64::from_le_bytes(self.bytes());
        if size >= 8 { number } else { number & ((1 << (8 * size)) - 1) }
    }

    /// Stores a number as the value.
    pub fn set_number(&mut self, number: u64, size: usize) {
        self.value[..size].copy_from_slice(&number.to_le_bytes()[..size]);
    }

    /// Notes a mistake in the current line of rules.
    pub fn error(&mut self, message: &str) {
        self.out.error_in_line(self.line, message.as_bytes());
    }

    /// Bytes of the length before a Pascal string; `None`: the rule does not say, which is an error.
    pub fn length_size(&mut self, rule: &Rule) -> Option<usize> {
        let size = length_size(rule);
        if size.is_none() {
            let bits = rule.text_flags() & rule::LENGTHS;
            self.out.error(0, format!("corrupt magic file (bad pascal string length {bits})").as_bytes());
        }
        size
    }
}

/// Bytes of the length before a Pascal string.
pub fn length_size(rule: &Rule) -> Option<usize> {
    match rule.text_flags() & rule::LENGTHS {
        rule::LENGTH_1 => Some(1),
        rule::LENGTH_2_BIG | rule::LENGTH_2_LITTLE => Some(2),
        rule::LENGTH_4_BIG | rule::LENGTH_4_LITTLE => Some(4),
        _ => None,
    }
}
