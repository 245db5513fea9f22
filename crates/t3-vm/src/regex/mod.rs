//! Regular expressions in T3's dialect.
//!
//! `parse.rs` turns a pattern into a small program, `search.rs` runs it, `heads.rs` says where that is worth trying. T3's rule is not Perl's: where a pattern can
//! go on in two ways, both are tried, and the longer match wins (the shorter, for lazy closures and under `<Min>`).

mod heads;
mod parse;
mod search;

pub(crate) use search::Match;

/// A kind of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
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
        return c.is_ascii_punctuation();
    }
    matches!(c, '\u{a1}'..='\u{bf}' | '\u{d7}' | '\u{f7}' | '\u{2010}'..='\u{205e}' | '\u{3001}'..='\u{3003}')
        && !c.is_alphanumeric()
}

/// A set of characters.
#[derive(Debug, Clone, Default)]
pub(crate) struct Class {
    exclusive: bool,
    ranges: Vec<(char, char)>,
    kinds: Vec<Kind>,
}

/// One state of the program.
#[derive(Debug, Clone, Copy)]
enum Node {
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
pub(crate) struct Regex {
    nodes: Vec<Node>,
    next: Vec<u32>,
    classes: Vec<Class>,
    start: u32,
    /// Number of capturing groups, at most ten.
    pub groups: usize,
    case_sensitive: Option<bool>,
    longest: bool,
    first_begin: bool,
    back_references: bool,
    /// What a match begins with, with and without case.
    heads: [std::cell::OnceCell<Option<heads::Heads>>; 2],
}

/// Groups that can be asked for.
pub(crate) const MAX_GROUPS: usize = 10;

/// Case folding of one character: by way of upper case, so that all forms of a letter meet.
pub(crate) fn fold(c: char) -> char {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn find(pattern: &str, text: &str) -> Option<String> {
        let regex = Regex::new(pattern)?;
        let found = regex.search(text, 0, true)?;
        Some(text[found.start..found.end].to_owned())
    }

    #[test]
    fn the_longer_alternative_wins() {
        assert_eq!(find("a|ab", "xab").as_deref(), Some("ab"));
        assert_eq!(find("<min>a|ab", "xab").as_deref(), Some("a"));
    }

    #[test]
    fn closures_and_classes() {
        assert_eq!(find("<alpha>+<digit>{2,3}", "..ab12345").as_deref(), Some("ab123"));
        assert_eq!(find("x.*?y", "xaybyy").as_deref(), Some("xay"));
        assert_eq!(find("(?<=a)b+", "bbabb").as_deref(), Some("bb"));
        assert_eq!(find("(<alpha>)%1", "abccd").as_deref(), Some("cc"));
        assert_eq!(find("(a*)*b", "aaac"), None);
    }
}
