//! Rules: what is tested where in a file, and what a match says.

use crate::kind::{Kind, Shape, kind};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

/// Rule flags: the offset is read from the file.
pub const INDIRECT: u8 = 0x01;
/// The offset counts from the end of the level above.
pub const RELATIVE: u8 = 0x02;
/// The place of an indirect offset counts from the end of the level above.
pub const INDIRECT_RELATIVE: u8 = 0x04;
pub const UNSIGNED: u8 = 0x08;
/// No space comes before the description.
pub const NO_SPACE: u8 = 0x10;
/// The rule is for binary files.
pub const BINARY: u8 = 0x20;
/// The rule is for texts.
pub const TEXT: u8 = 0x40;
/// The offset counts from the end of the file.
pub const FROM_END: u8 = 0x80;

/// Flags of text tests: a blank in the rule stands for one or more in the file.
pub const COMPACT: u32 = 1;
/// A blank in the rule stands for any number in the file.
pub const COMPACT_OPTIONAL: u32 = 1 << 1;
/// Lower-case letters in the rule stand for either case.
pub const FOLD_LOWER: u32 = 1 << 2;
/// Upper-case letters in the rule stand for either case.
pub const FOLD_UPPER: u32 = 1 << 3;
/// What follows is relative to the start of the match.
pub const FROM_START: u32 = 1 << 4;
pub const FOR_TEXT: u32 = 1 << 5;
pub const FOR_BINARY: u32 = 1 << 6;
/// The length before a Pascal string has one byte.
pub const LENGTH_1: u32 = 1 << 7;
pub const LENGTH_2_BIG: u32 = 1 << 8;
pub const LENGTH_2_LITTLE: u32 = 1 << 9;
pub const LENGTH_4_BIG: u32 = 1 << 10;
pub const LENGTH_4_LITTLE: u32 = 1 << 11;
/// The range of a regular expression counts lines.
pub const COUNTS_LINES: u32 = 1 << 11;
pub const LENGTHS: u32 = LENGTH_1 | LENGTH_2_BIG | LENGTH_2_LITTLE | LENGTH_4_BIG | LENGTH_4_LITTLE;
pub const LENGTH_COUNTS_ITSELF: u32 = 1 << 12;
pub const TRIM: u32 = 1 << 13;
pub const WHOLE_WORD: u32 = 1 << 14;
/// A flag of indirect tests: the offset is relative.
pub const REST_RELATIVE: u32 = 1;

/// Operators of masks and indirect offsets, in the order of their numbers.
pub const OPERATORS: &[u8; 8] = b"&|^+-*/%";
pub const OPERATOR_MASK: u8 = 0x07;
pub const SIGNED: u8 = 0x20;
pub const INVERSE: u8 = 0x40;
/// What an indirect offset is changed by is read from the file, too.
pub const OPERAND_INDIRECT: u8 = 0x80;

pub const IF: u8 = 1;
pub const ELSE_IF: u8 = 2;
pub const ELSE: u8 = 3;

/// The longest value that a rule or a test holds.
pub const LONGEST: usize = 128;

/// One line of rules.
#[derive(Clone, Default)]
pub struct Rule {
    pub level: u16,
    pub flags: u8,
    /// A number that changes the strength, and how: `+`, `-`, `*`, `/` or NUL.
    pub factor: u8,
    pub factor_op: u8,
    /// `=`, `!`, `<`, `>`, `&`, `^` or `x` for anything.
    pub relation: u8,
    /// The length of a text.
    pub length: u8,
    pub kind: u8,
    /// The kind of the number that an indirect offset is.
    pub in_kind: u8,
    pub in_op: u8,
    pub mask_op: u8,
    pub condition: u8,
    pub offset: i32,
    pub in_offset: i32,
    pub line: u32,
    /// The mask of a number; a text has its range in the lower half and its flags in the upper one.
    pub mask: u64,
    /// The value without the zeros at its end.
    pub value: Box<[u8]>,
    pub description: Box<[u8]>,
    pub mime: Box<[u8]>,
    pub apple: Box<[u8]>,
    pub extensions: Box<[u8]>,
}

impl Rule {
    /// What is known of the rule's kind.
    pub fn kind(&self) -> &'static Kind {
        kind(self.kind)
    }

    /// How far a text is searched for.
    pub fn range(&self) -> u32 {
        self.mask as u32
    }

    pub fn text_flags(&self) -> u32 {
        (self.mask >> 32) as u32
    }

    /// Changes the range and the flags of a text.
    pub fn set_text(&mut self, range: u32, flags: u32) {
        self.mask = u64::from(flags) << 32 | u64::from(range);
    }

    /// The first bytes of the value, with zeros behind it.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        std::array::from_fn(|index| self.value.get(index).copied().unwrap_or(0))
    }

    /// The value as a number.
    pub fn number(&self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }

    /// The value as a text that ends at the first NUL.
    pub fn text(&self) -> &[u8] {
        until_nul(&self.value)
    }

    /// The pattern of a text test, NULs included.
    pub fn pattern(&self) -> Cow<'_, [u8]> {
        let length = usize::from(self.length).min(LONGEST);
        match self.value.get(..length) {
            Some(pattern) => Cow::Borrowed(pattern),
            // The zeros at its end are not stored.
            None => Cow::Owned((0..length).map(|index| self.value.get(index).copied().unwrap_or(0)).collect()),
        }
    }
}

/// A text up to its first NUL.
pub fn until_nul(text: &[u8]) -> &[u8] {
    &text[..text.iter().position(|&byte| byte == 0).unwrap_or(text.len())]
}

/// A text without the zeros at its end.
pub fn trimmed(text: &[u8]) -> Box<[u8]> {
    text[..text.iter().rposition(|&byte| byte != 0).map_or(0, |at| at + 1)].into()
}

/// The rules of one file: those that are tried, then those that have names.
#[derive(Default)]
pub struct Rules {
    pub all: Vec<Rule>,
    /// Number of rules that are tried.
    pub tried: usize,
    /// Where the rules of each name are, found out when the first one is used.
    names: OnceCell<HashMap<Box<[u8]>, Range<usize>>>,
}

impl Rules {
    /// The rules that are tried.
    pub fn tried(&self) -> Range<usize> {
        0..self.tried.min(self.all.len())
    }

    /// The rules of a name.
    pub fn named(&self, name: &[u8]) -> Option<Range<usize>> {
        self.names.get_or_init(|| self.find_names()).get(name).cloned()
    }

    fn find_names(&self) -> HashMap<Box<[u8]>, Range<usize>> {
        let mut names = HashMap::new();
        let first = self.tried().end;
        for (index, rule) in self.all.iter().enumerate().skip(first) {
            if rule.kind().shape == Shape::Name {
                let deeper = self.all[index + 1..].iter().position(|rule| rule.level == 0);
                let end = deeper.map_or(self.all.len(), |count| index + 1 + count);
                // The first rules of a name are used.
                names.entry(rule.text().into()).or_insert(index..end);
            }
        }
        names
    }

    /// Rules of which the first ones are tried, and the others have names.
    pub fn new(all: Vec<Rule>, tried: usize) -> Rules {
        Rules { all, tried, names: OnceCell::new() }
    }
}
