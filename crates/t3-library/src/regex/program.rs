//! A compiled pattern: the states of its program.

/// A kind of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Alpha,
    Digit,
    Upper,
    Lower,
    AlphaNum,
    Space,
    VerticalSpace,
    Punct,
    Newline,
}

impl Kind {
    /// Whether a character is of the kind.
    pub fn has(self, c: char) -> bool {
        match self {
            Kind::Alpha => c.is_alphabetic(),
            Kind::Digit => c.is_ascii_digit(),
            Kind::Upper => c.is_uppercase(),
            Kind::Lower => c.is_lowercase(),
            Kind::AlphaNum => c.is_alphabetic() || Kind::Digit.has(c),
            Kind::Space => c.is_whitespace() || c == '\u{15}',
            Kind::VerticalSpace => {
                matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
            }
            Kind::Punct => is_punctuation(c),
            Kind::Newline => matches!(c, '\n' | '\r' | '\u{b}' | '\u{2028}' | '\u{2029}'),
        }
    }
}

fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        // Signs that Unicode counts as symbols are none.
        return c.is_ascii_punctuation() && !matches!(c, '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~');
    }
    matches!(c, '\u{a1}'..='\u{bf}' | '\u{d7}' | '\u{f7}' | '\u{2010}'..='\u{205e}' | '\u{3001}'..='\u{3003}')
        && !c.is_alphanumeric()
}

/// A set of characters.
#[derive(Debug, Clone, Default)]
pub struct Class {
    pub(super) exclusive: bool,
    pub(super) ranges: Vec<(char, char)>,
    pub(super) kinds: Vec<Kind>,
}

/// One state of the program.
#[derive(Debug, Clone, Copy)]
pub(super) enum Node {
    Char(char),
    Any,
    Class(u32),
    Kind(Kind, bool),
    WordChar(bool),
    Begin,
    End,
    WordBegin,
    WordEnd,
    Boundary(bool),
    GroupStart(u8),
    GroupEnd(u8),
    BackRef(u8),
    /// The sub-program at `start` must (not) match here, or up to here.
    Assert {
        start: u32,
        negative: bool,
        behind: bool,
    },
    /// Two ways to go on; the first wins if equally good.
    Split {
        first: u32,
        second: u32,
        shortest: bool,
        /// Whether one way leads back here.
        repeats: bool,
    },
    /// The end of a look-behind: only where it began.
    BehindEnd,
    Accept,
    /// Nothing: goes on with the next state.
    Empty,
}

/// A compiled pattern.
#[derive(Debug, Clone)]
pub struct Regex {
    pub(super) nodes: Vec<Node>,
    pub(super) next: Vec<u32>,
    pub(super) classes: Vec<Class>,
    pub(super) start: u32,
    /// Number of capturing groups, at most ten.
    pub groups: usize,
    pub(super) case_sensitive: Option<bool>,
    pub(super) longest: bool,
    pub(super) first_begin: bool,
    pub(super) back_references: bool,
    /// What a match begins with, with and without case.
    pub(super) heads: [std::cell::OnceCell<Option<Heads>>; 2],
}

/// Groups that can be asked for.
pub const MAX_GROUPS: usize = 10;

/// Case folding of one character: by way of upper case, so that all forms of a letter meet.
pub fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let mut upper = c.to_uppercase();
    let c = match (upper.next(), upper.next()) {
        (Some(single), None) => single,
        _ => c,
    };
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(single), None) => single,
        _ => c,
    }
}

/// ASCII characters, one bit each. All others can begin a match as far as this is concerned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Heads(pub(super) u128);

impl Heads {
    /// The distance to the next place where a match can begin.
    pub fn distance(self, bytes: &[u8]) -> Option<usize> {
        bytes.iter().position(|byte| !byte.is_ascii() || self.0 >> byte & 1 != 0)
    }
}
