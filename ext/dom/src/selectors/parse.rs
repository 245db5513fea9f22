//! The parser of CSS selectors. Its errors have the words of Lexbor, the library that PHP uses.

use std::cell::Cell;

/// The relation between two compound selectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combinator {
    Descendant,
    Child,
    Next,
    Subsequent,
    /// `||`, which is parsed but not supported.
    Column,
}

/// A compound selector with the combinator before it.
#[derive(Debug)]
pub struct Step {
    /// The relation to the compound before this one.
    pub combinator: Combinator,
    /// The simple selectors of the compound, all of which must match.
    pub simple: Vec<Simple>,
    /// Set when the match needed the column combinator.
    pub asks_for_column: Cell<bool>,
}

/// Compounds from left to right. The combinator of the first one counts in relative selectors only.
pub type Complex = Vec<Step>;
/// A list of selectors, of which any may match.
pub type List = Vec<Complex>;

/// A simple selector.
#[derive(Debug)]
pub enum Simple {
    Any,
    Type(Vec<u8>),
    Id(Vec<u8>),
    Class(Vec<u8>),
    Attribute { name: Vec<u8>, test: Test, value: Vec<u8>, ignores_case: bool },
    Pseudo(Pseudo),
    Nth(Nth),
    Is(List),
    Not(List),
    Has(List),
}

/// The condition on an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    Exists,
    Equals,
    HasWord,
    /// The value is the whole attribute, or its beginning before a hyphen.
    Language,
    Starts,
    Ends,
    Contains,
}

/// Pseudo-classes without arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pseudo {
    AnyLink,
    Checked,
    Disabled,
    Empty,
    Enabled,
    FirstChild,
    FirstOfType,
    LastChild,
    LastOfType,
    /// Pseudo-classes that need a user or a displayed page, such as `:hover`: nothing matches.
    Never,
    OnlyChild,
    OnlyOfType,
    Optional,
    PlaceholderShown,
    ReadOnly,
    ReadWrite,
    Required,
    Root,
}

const PSEUDO: [(&str, Pseudo); 21] = [
    ("active", Pseudo::Never),
    ("any-link", Pseudo::AnyLink),
    ("checked", Pseudo::Checked),
    ("disabled", Pseudo::Disabled),
    ("empty", Pseudo::Empty),
    ("enabled", Pseudo::Enabled),
    ("first-child", Pseudo::FirstChild),
    ("first-of-type", Pseudo::FirstOfType),
    ("focus", Pseudo::Never),
    ("hover", Pseudo::Never),
    ("last-child", Pseudo::LastChild),
    ("last-of-type", Pseudo::LastOfType),
    ("link", Pseudo::AnyLink),
    ("only-child", Pseudo::OnlyChild),
    ("only-of-type", Pseudo::OnlyOfType),
    ("optional", Pseudo::Optional),
    ("placeholder-shown", Pseudo::PlaceholderShown),
    ("read-only", Pseudo::ReadOnly),
    ("read-write", Pseudo::ReadWrite),
    ("required", Pseudo::Required),
    ("root", Pseudo::Root),
];

/// Pseudo-classes without arguments that Lexbor knows but does not support.
const CLASSES_NOT_SUPPORTED: [&str; 19] = [
    "current",
    "default",
    "focus-visible",
    "focus-within",
    "fullscreen",
    "future",
    "in-range",
    "indeterminate",
    "invalid",
    "local-link",
    "out-of-range",
    "past",
    "scope",
    "target",
    "target-within",
    "user-invalid",
    "valid",
    "visited",
    "warning",
];

/// Pseudo-classes with arguments that Lexbor knows but does not support.
const FUNCTIONS_NOT_SUPPORTED: [&str; 4] = ["dir", "lang", "nth-col", "nth-last-col"];

/// Names of pseudo-elements, which no element of a document matches.
const ELEMENTS: [&str; 12] = [
    "after",
    "backdrop",
    "before",
    "first-letter",
    "first-line",
    "grammar-error",
    "inactive-selection",
    "marker",
    "placeholder",
    "selection",
    "spelling-error",
    "target-text",
];

/// `:nth-child(an+b)` and its variants.
#[derive(Debug)]
pub struct Nth {
    /// The `a` of `an+b`.
    pub step: i64,
    /// The `b` of `an+b`.
    pub offset: i64,
    /// Whether siblings are counted from the last one.
    pub from_end: bool,
    /// Whether only siblings of the element's type are counted.
    pub of_type: bool,
    /// The selectors of `of`, which the counted siblings must match.
    pub of: Option<List>,
}

/// The reason why a text is no selector.
#[derive(Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The message of Lexbor.
    Message(String),
    /// `:blank`, which Lexbor does not implement.
    Blank,
}

type Result<T> = std::result::Result<T, Wrong>;

/// The depth to which selectors may be nested.
const DEPTH_MAX: u32 = 64;

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    depth: u32,
}

/// Parses a list of selectors, which must use up the whole text.
pub fn parse(text: &[u8]) -> Result<List> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let list = reader.list(false)?;
    if reader.at < text.len() { Err(reader.unexpected()) } else { Ok(list) }
}

/// Whether a byte can begin a name. A NUL counts, because CSS replaces it by U+FFFD.
fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80 || byte == 0
}

fn is_name(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit() || byte == b'-'
}

/// The length of the number at the beginning of a text; 0 if there is none. A decimal point needs no digit before it.
fn number_length(text: &[u8]) -> usize {
    let digits = |at: usize| text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let mut at = sign + digits(sign);
    if text.get(at) == Some(&b'.') && digits(at + 1) > 0 {
        at += 1 + digits(at + 1);
    }
    if at == sign {
        return 0;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let exponent = at + 1 + usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        if exponent <= text.len() && digits(exponent) > 0 {
            at = exponent + digits(exponent);
        }
    }
    at
}

/// A number in JavaScript's notation, which Lexbor uses in messages.
fn shown_number(number: f64) -> String {
    const EXPONENTS: std::ops::Range<i32> = -6..21;
    let scientific = format!("{number:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent = exponent.parse::<i32>().unwrap_or_default();
    if number == 0.0 {
        return "0".to_owned();
    }
    if !EXPONENTS.contains(&exponent) {
        return scientific;
    }
    let sign = if number < 0.0 { "-" } else { "" };
    let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
    if exponent < 0 {
        return format!("{sign}0.{}{digits}", "0".repeat((-1 - exponent) as usize));
    }
    let whole = exponent as usize + 1;
    match digits.split_at_checked(whole) {
        Some((whole, "")) => format!("{sign}{whole}"),
        Some((whole, fraction)) => format!("{sign}{whole}.{fraction}"),
        None => format!("{sign}{digits}{}", "0".repeat(whole - digits.len())),
    }
}

/// The error of a functional pseudo-class without arguments.
fn empty(name: &str) -> Wrong {
    Wrong::Message(format!("Selectors. Pseudo function can't be empty: {name}()"))
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn takes(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn space(&mut self) -> bool {
        let start = self.at;
        loop {
            if self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
                self.at += 1;
            } else if self.text[self.at..].starts_with(b"/*") {
                let end = self.text[self.at + 2..].windows(2).position(|part| part == b"*/");
                self.at = end.map_or(self.text.len(), |end| self.at + end + 4);
            } else {
                return self.at > start;
            }
        }
    }

    /// The error of an unexpected token, which is shown as Lexbor shows it.
    fn unexpected(&mut self) -> Wrong {
        let start = self.at;
        let shown = match self.peek() {
            None => "END-OF-FILE".to_owned(),
            Some(b'@' | b'#') if self.text.get(start + 1).is_some_and(|&byte| is_name(byte)) => {
                self.at += 1;
                let sign = self.text[start] as char;
                format!("{sign}{}", phlox_runtime::shown(&self.name().unwrap_or_default()))
            }
            Some(_) if number_length(&self.text[start..]) > 0 => {
                self.at += number_length(&self.text[start..]);
                let number = std::str::from_utf8(&self.text[start..self.at]).ok().and_then(|text| text.parse().ok());
                let number = shown_number(number.unwrap_or_default());
                let rest = &self.text[self.at..];
                let unit = match rest {
                    [b'%', ..] => b"%".to_vec(),
                    [b'-', second, ..] if is_name_start(*second) || *second == b'-' => self.name().unwrap_or_default(),
                    [first, ..] if is_name_start(*first) => self.name().unwrap_or_default(),
                    _ => Vec::new(),
                };
                format!("{number}{}", phlox_runtime::shown(&unit))
            }
            Some(byte) if is_name(byte) => match self.name() {
                Some(name) => {
                    let call = if self.peek() == Some(b'(') { "(" } else { "" };
                    format!("{}{call}", phlox_runtime::shown(&name))
                }
                None => (byte as char).to_string(),
            },
            Some(byte) => (byte as char).to_string(),
        };
        self.at = start;
        Wrong::Message(format!("Selectors. Unexpected token: {shown}"))
    }

    /// Reads a name and its escapes.
    fn name(&mut self) -> Option<Vec<u8>> {
        let mut name = Vec::new();
        while let Some(byte) = self.peek() {
            if is_name(byte) {
                match byte {
                    0 => name.extend("\u{fffd}".as_bytes()),
                    byte => name.push(byte),
                }
                self.at += 1;
            } else if byte == b'\\' && self.text.get(self.at + 1).is_some_and(|&next| next != b'\n') {
                self.at += 1;
                self.escape(&mut name);
            } else {
                break;
            }
        }
        if name.is_empty() { None } else { Some(name) }
    }

    fn escape(&mut self, into: &mut Vec<u8>) {
        let digits = self.text[self.at..].iter().take(6).take_while(|byte| byte.is_ascii_hexdigit()).count();
        if digits == 0 {
            into.extend(self.peek());
            self.at += 1;
            return;
        }
        let code = std::str::from_utf8(&self.text[self.at..self.at + digits]).unwrap_or_default();
        let code = u32::from_str_radix(code, 16).ok().filter(|&code| code != 0).and_then(char::from_u32);
        into.extend(code.unwrap_or('\u{fffd}').encode_utf8(&mut [0; 4]).as_bytes());
        self.at += digits;
        if self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn list(&mut self, relative: bool) -> Result<List> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.unexpected());
        }
        let mut list = Vec::new();
        loop {
            self.space();
            list.push(self.complex(relative)?);
            self.space();
            if !self.takes(b',') {
                self.depth -= 1;
                return Ok(list);
            }
        }
    }

    fn combinator(&mut self) -> Option<Combinator> {
        let spaced = self.space();
        let found = match self.peek() {
            Some(b'>') => Combinator::Child,
            Some(b'+') => Combinator::Next,
            Some(b'~') => Combinator::Subsequent,
            Some(b'|') if self.text.get(self.at + 1) == Some(&b'|') => {
                self.at += 1;
                Combinator::Column
            }
            Some(b',' | b')') | None => return None,
            Some(_) => return spaced.then_some(Combinator::Descendant),
        };
        self.at += 1;
        self.space();
        Some(found)
    }

    fn complex(&mut self, relative: bool) -> Result<Complex> {
        let mut combinator = Combinator::Descendant;
        if relative {
            combinator = self.combinator().unwrap_or(Combinator::Descendant);
        }
        let mut steps = Vec::new();
        loop {
            steps.push(Step { combinator, simple: self.compound()?, asks_for_column: Cell::new(false) });
            match self.combinator() {
                Some(next) => combinator = next,
                None => return Ok(steps),
            }
        }
    }

    fn compound(&mut self) -> Result<Vec<Simple>> {
        let mut simple = Vec::new();
        let prefixed = self.prefix();
        if self.takes(b'*') {
            simple.push(Simple::Any);
        } else if let Some(name) = self.type_name() {
            simple.push(Simple::Type(name));
        } else if prefixed {
            return Err(self.unexpected());
        }
        // Behind a name, `||` is parsed as the bar of a namespace prefix and another one, which is an error.
        if !simple.is_empty() && self.text[self.at..].starts_with(b"||") {
            return Err(self.unexpected());
        }
        loop {
            match self.peek() {
                Some(b'#') => {
                    self.at += 1;
                    let name = self.name();
                    simple.push(Simple::Id(name.ok_or_else(|| self.unexpected())?));
                }
                Some(b'.') if self.text.get(self.at + 1).is_some_and(u8::is_ascii_digit) => {
                    return Err(self.unexpected());
                }
                Some(b'.') => {
                    self.at += 1;
                    let name = self.name();
                    simple.push(Simple::Class(name.ok_or_else(|| self.unexpected())?));
                }
                Some(b'[') => {
                    self.at += 1;
                    simple.push(self.attribute()?);
                }
                Some(b':') => {
                    self.at += 1;
                    simple.push(self.pseudo()?);
                }
                _ if simple.is_empty() => return Err(self.unexpected()),
                _ => return Ok(simple),
            }
        }
    }

    /// Skips the prefix of a namespace (`a|`, `*|`, `|`), which is ignored.
    fn prefix(&mut self) -> bool {
        let start = self.at;
        let _ = self.takes(b'*') || self.type_name().is_some();
        let next = self.text.get(self.at + 1);
        let found = self.peek() == Some(b'|') && !matches!(next, Some(b'=' | b'|'));
        self.at = if found { self.at + 1 } else { start };
        found
    }

    fn type_name(&mut self) -> Option<Vec<u8>> {
        let starts = match (self.peek()?, self.text.get(self.at + 1)) {
            (b'-', Some(&next)) => is_name_start(next) || next == b'-' || next == b'\\',
            (byte, _) => is_name_start(byte) || byte == b'\\',
        };
        if starts { self.name() } else { None }
    }

    fn attribute(&mut self) -> Result<Simple> {
        self.space();
        if self.peek() != Some(b'*') {
            self.prefix();
        }
        let Some(name) = self.type_name() else { return Err(self.unexpected()) };
        self.space();
        let test = match self.peek() {
            Some(b']') => Test::Exists,
            Some(b'=') => Test::Equals,
            Some(b'~') => Test::HasWord,
            Some(b'|') => Test::Language,
            Some(b'^') => Test::Starts,
            Some(b'$') => Test::Ends,
            Some(b'*') => Test::Contains,
            _ => return Err(self.unexpected()),
        };
        self.at += 1;
        if test == Test::Exists {
            return Ok(Simple::Attribute { name, test, value: Vec::new(), ignores_case: false });
        }
        if test != Test::Equals && !self.takes(b'=') {
            return Err(self.unexpected());
        }
        self.space();
        let value = match self.peek() {
            Some(quote @ (b'"' | b'\'')) => self.quoted(quote),
            _ => self.type_name(),
        };
        let value = value.ok_or_else(|| self.unexpected())?;
        self.space();
        let ignores_case = self.takes(b'i') || self.takes(b'I');
        if !ignores_case {
            let _ = self.takes(b's') || self.takes(b'S');
        }
        self.space();
        if self.takes(b']') {
            Ok(Simple::Attribute { name, test, value, ignores_case })
        } else {
            Err(self.unexpected())
        }
    }

    fn quoted(&mut self, quote: u8) -> Option<Vec<u8>> {
        self.at += 1;
        let mut value = Vec::new();
        loop {
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                _ if byte == quote => return Some(value),
                b'\\' if self.peek() == Some(b'\n') => self.at += 1,
                b'\\' => self.escape(&mut value),
                _ => value.push(byte),
            }
        }
    }

    fn pseudo(&mut self) -> Result<Simple> {
        let element = self.takes(b':');
        let start = self.at;
        let Some(name) = self.name() else { return Err(self.unexpected()) };
        let name = phlox_runtime::shown(&name).to_ascii_lowercase();
        if name == "blank" {
            return Err(Wrong::Blank);
        }
        let arguments = self.takes(b'(');
        let unsupported = match (element, arguments) {
            (true, false) => &ELEMENTS[..],
            (false, true) => &FUNCTIONS_NOT_SUPPORTED,
            (false, false) => &CLASSES_NOT_SUPPORTED,
            (true, true) => &[],
        };
        if unsupported.contains(&name.as_str()) {
            return Err(Wrong::Message(format!("Selectors. Not supported: {name}")));
        }
        let found = match (element, arguments) {
            (true, _) => None,
            (false, true) => self.function(&name)?,
            (false, false) => {
                PSEUDO.iter().find(|(known, _)| *known == name).map(|(_, pseudo)| Simple::Pseudo(*pseudo))
            }
        };
        found.ok_or_else(|| {
            self.at = start;
            self.unexpected()
        })
    }

    /// Parses the arguments of a pseudo-class, behind the opening parenthesis.
    fn function(&mut self, name: &str) -> Result<Option<Simple>> {
        const NAMES: [&str; 9] =
            ["current", "is", "where", "not", "has", "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"];
        if !NAMES.contains(&name) {
            return Ok(None);
        }
        self.space();
        let found = if self.peek() == Some(b')') { Err(self.unexpected()) } else { self.arguments(name) };
        let found = found.map_err(|wrong| if self.peek() == Some(b')') { empty(name) } else { wrong })?;
        self.space();
        // CSS closes open parentheses at the end of the text.
        if self.takes(b')') || self.peek().is_none() { Ok(Some(found)) } else { Err(self.unexpected()) }
    }

    fn arguments(&mut self, name: &str) -> Result<Simple> {
        Ok(match name {
            "not" => Simple::Not(self.list(false)?),
            "has" => Simple::Has(self.list(true)?),
            _ if name.starts_with("nth-") => Simple::Nth(self.nth(name)?),
            _ => Simple::Is(self.list(false)?),
        })
    }

    fn nth(&mut self, name: &str) -> Result<Nth> {
        self.space();
        let (step, offset) = self.formula()?;
        self.space();
        let of_type = name.ends_with("of-type");
        let mut of = None;
        if !of_type && self.text[self.at..].get(..2).is_some_and(|word| word.eq_ignore_ascii_case(b"of")) {
            self.at += 2;
            of = Some(self.list(false)?);
        }
        Ok(Nth { step, offset, from_end: name.starts_with("nth-last"), of_type, of })
    }

    /// Parses `an+b`, such as `2n+1`, `odd`, `-n + 3`, `4`: gives `a` and `b`.
    fn formula(&mut self) -> Result<(i64, i64)> {
        let rest = &self.text[self.at..];
        for (word, formula) in [(&b"odd"[..], (2, 1)), (b"even", (2, 0))] {
            if rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)) {
                self.at += word.len();
                return Ok(formula);
            }
        }
        let negative = self.takes(b'-');
        let _ = !negative && self.takes(b'+');
        let number = self.number();
        let sign = if negative { -1 } else { 1 };
        if !(self.takes(b'n') || self.takes(b'N')) {
            return match number {
                Some(number) => Ok((0, sign * number)),
                None => Err(self.unexpected()),
            };
        }
        let step = sign * number.unwrap_or(1);
        let before = self.at;
        self.space();
        let sign = match self.peek() {
            Some(b'+') => 1,
            Some(b'-') => -1,
            _ => {
                self.at = before;
                return Ok((step, 0));
            }
        };
        self.at += 1;
        self.space();
        match self.number() {
            Some(number) => Ok((step, sign * number)),
            None => Err(self.unexpected()),
        }
    }

    fn number(&mut self) -> Option<i64> {
        let digits = self.text[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(&self.text[self.at..self.at + digits]).ok()?.parse::<i32>().ok()?;
        self.at += digits;
        Some(number.into())
    }
}
