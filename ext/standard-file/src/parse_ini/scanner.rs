//! The tokens of ini files. As in PHP, the longest rule of a state wins, and of equals the first.

use super::Mode;

/// `Token::name` is how messages show it.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    End,
    Section,
    Raw(Vec<u8>),
    Constant(Vec<u8>),
    Number(Vec<u8>),
    String(Vec<u8>),
    Whitespace(Vec<u8>),
    Label(Vec<u8>),
    Offset(Vec<u8>),
    DollarCurly,
    VarName(Vec<u8>),
    QuotedString(Vec<u8>),
    Fallback,
    True,
    False,
    Null,
    EndOfLine,
    Char(u8),
}

impl Token {
    /// The token's name in messages about syntax errors.
    pub fn name(&self) -> String {
        let name = match self {
            Token::End => "end of file",
            Token::Section => "TC_SECTION",
            Token::Raw(_) => "TC_RAW",
            Token::Constant(_) => "TC_CONSTANT",
            Token::Number(_) => "TC_NUMBER",
            Token::String(_) => "TC_STRING",
            Token::Whitespace(_) => "TC_WHITESPACE",
            Token::Label(_) => "TC_LABEL",
            Token::Offset(_) => "TC_OFFSET",
            Token::DollarCurly => "TC_DOLLAR_CURLY",
            Token::VarName(_) => "TC_VARNAME",
            Token::QuotedString(_) => "TC_QUOTED_STRING",
            Token::Fallback => "TC_FALLBACK",
            Token::True => "BOOL_TRUE",
            Token::False => "BOOL_FALSE",
            Token::Null => "NULL_NULL",
            Token::EndOfLine => "END_OF_LINE",
            Token::Char(byte) => return format!("'{}'", *byte as char),
        };
        name.to_owned()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Initial,
    Value,
    RawValue,
    SectionValue,
    SectionRaw,
    Offset,
    DoubleQuotes,
    VarName,
    VarFallback,
}

/// A rule that matched: how many bytes, and what they are.
type Match = Option<(usize, Rule)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Section,
    SectionEnd,
    Offset,
    OffsetEnd,
    SingleQuoted,
    DollarCurly,
    True,
    False,
    Null,
    Label,
    Equals,
    Constant,
    Number,
    Char,
    Operator,
    EqualsInValue,
    String,
    Quote,
    Whitespace,
    Skipped,
    Newline,
    EndOfValue,
}

pub struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    pub line: usize,
    states: Vec<State>,
    mode: Mode,
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn span(text: &[u8], is: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|&byte| !is(byte)).unwrap_or(text.len())
}

fn is_label(byte: u8) -> bool {
    !b"=\n\r\t;&|^$~(){}![]\"\0".contains(&byte)
}

/// The length of a line's end.
fn newline(text: &[u8]) -> Option<usize> {
    match text {
        [b'\r', b'\n', ..] => Some(2),
        [b'\r' | b'\n', ..] => Some(1),
        _ => None,
    }
}

fn constant(text: &[u8]) -> Option<usize> {
    let starts = text.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    starts.then(|| span(text, |byte| byte.is_ascii_alphanumeric() || byte == b'_'))
}

/// `-?digits`, `digits.`, `.digits` or `digits.digits`
fn number(text: &[u8]) -> Option<usize> {
    let sign = usize::from(text.first() == Some(&b'-'));
    let whole = span(&text[sign..], |byte| byte.is_ascii_digit());
    if sign == 0 && text.get(whole) == Some(&b'.') {
        let fraction = span(&text[whole + 1..], |byte| byte.is_ascii_digit());
        if whole + fraction > 0 {
            return Some(whole + 1 + fraction);
        }
    }
    (whole > 0).then_some(sign + whole)
}

/// Characters of which none is in `stops`; a `$` that starts no variable is one of them, and so, with `escapes`, is whatever
/// follows a backslash.
fn characters(text: &[u8], stops: &[u8], escapes: bool) -> Option<usize> {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += match (byte, text.get(at + 1)) {
            (b'$', Some(b'\\')) if text.len() > at + 2 => 3,
            (b'$', Some(&next)) if next != b'{' && next != 0 => 2,
            (b'$', _) => break,
            (b'\\', Some(_)) if escapes => 2,
            (b'\\', None) if escapes => break,
            _ if stops.contains(&byte) => break,
            _ => 1,
        };
    }
    (at > 0).then_some(at)
}

fn trimmed(text: &[u8]) -> Vec<u8> {
    let start = span(text, is_blank);
    let end =
        text.iter().rposition(|&byte| !is_blank(byte) && !matches!(byte, b'\n' | b'\r')).map_or(start, |at| at + 1);
    text[start..end.max(start)].to_vec()
}

impl<'a> Scanner<'a> {
    /// A scanner at the start of the text; a byte order mark is skipped.
    pub fn new(text: &'a [u8], mode: Mode) -> Scanner<'a> {
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        Scanner { text, at: 0, line: 1, states: vec![State::Initial], mode }
    }

    fn state(&self) -> State {
        self.states.last().copied().unwrap_or(State::Initial)
    }

    fn begin(&mut self, state: State) {
        if let Some(last) = self.states.last_mut() {
            *last = state;
        }
    }

    /// Reads the next token.
    pub fn token(&mut self) -> Token {
        loop {
            if let Some(token) = self.step() {
                return token;
            }
        }
    }

    /// The next token; `None` after something that is passed over.
    fn step(&mut self) -> Option<Token> {
        let state = self.state();
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            if matches!(state, State::Value | State::RawValue) {
                self.begin(State::Initial);
                return Some(Token::EndOfLine);
            }
            return Some(Token::End);
        }
        match state {
            State::DoubleQuotes => return Some(self.in_quotes()),
            State::VarName => return Some(self.in_variable()),
            State::SectionRaw => {
                let size = span(rest, |byte| !matches!(byte, b']' | b'\n' | b'\r'));
                if size > 0 {
                    self.at += size;
                    return Some(Token::Raw(rest[..size].to_vec()));
                }
            }
            State::RawValue => {
                if let Some(token) = self.in_raw_value() {
                    return Some(token);
                }
            }
            _ => {}
        }
        // A single quote that is never closed takes all there is.
        let quotes = matches!(state, State::Value | State::SectionValue | State::Offset);
        if quotes && rest.len() > 1 && rest[0] == b'\'' && !rest[1..].contains(&b'\'') {
            self.at = self.text.len();
            return Some(Token::End);
        }
        let mut best: Match = None;
        for (size, rule) in self.matches(state, rest).into_iter().flatten() {
            if best.is_none_or(|(longest, _)| size > longest) {
                best = Some((size, rule));
            }
        }
        // Text that no rule matches ends the file.
        let Some((size, rule)) = best else { return Some(Token::End) };
        self.at += size;
        self.act(rule, &rest[..size])
    }

    /// The match of each rule of a state.
    fn matches(&self, state: State, rest: &[u8]) -> Vec<Match> {
        use State::{Initial, Offset, RawValue, SectionRaw, SectionValue, Value, VarFallback};
        let is = |states: &[State]| states.contains(&state);
        let blanks = span(rest, is_blank);
        let behind = &rest[blanks..];
        let starts = |byte: u8| (behind.first() == Some(&byte)).then_some(blanks + 1);
        let label = span(rest, is_label);
        let mut all: Vec<Match> = Vec::new();
        if is(&[Initial]) {
            all.push((rest[0] == b'[').then_some((1, Rule::Section)));
        }
        if is(&[Value, SectionValue, Offset]) && rest[0] == b'\'' {
            let size = span(&rest[1..], |byte| byte != b'\'');
            all.push((size > 0 && rest.len() > size + 1).then_some((size + 2, Rule::SingleQuoted)));
        }
        if is(&[SectionRaw, SectionValue]) && rest[0] == b']' {
            let size = 1 + span(&rest[1..], is_blank);
            all.push(Some((size + newline(&rest[size..]).unwrap_or(0), Rule::SectionEnd)));
        }
        if is(&[Initial]) && label > 0 && rest.get(label) == Some(&b'[') {
            all.push(Some((label + 1 + span(&rest[label + 1..], is_blank), Rule::Offset)));
        }
        if is(&[Offset]) {
            all.push(starts(b']').map(|size| (size, Rule::OffsetEnd)));
        }
        if is(&[SectionValue, Value, Offset, VarFallback]) {
            all.push(rest.starts_with(b"${").then_some((2, Rule::DollarCurly)));
        }
        if is(&[VarFallback]) {
            all.push((rest[0] == b'}').then_some((1, Rule::Char)));
        }
        if is(&[Initial, Value]) {
            all.push(word(rest));
        }
        if is(&[Initial]) {
            all.push((label > 0).then_some((label, Rule::Label)));
            all.push(starts(b'=').map(|size| (size + span(&rest[size..], is_blank), Rule::Equals)));
        }
        if is(&[SectionValue, Value, VarFallback, Offset]) {
            all.push(constant(rest).map(|size| (size, Rule::Constant)));
            all.push(number(rest).map(|size| (size, Rule::Number)));
        }
        if is(&[Initial]) {
            let is_token = b":,.[]\"'()&|^+-/*=%$!~<>?@{}".contains(&rest[0]);
            all.push(is_token.then_some((1, Rule::Char)));
        }
        if is(&[Value]) {
            let is_operator = b"&|^~()!".contains(&rest[0]);
            all.push(is_operator.then(|| (1 + span(&rest[1..], is_blank), Rule::Operator)));
            // The equals sign is left to the next statement.
            all.push((rest[0] == b'=').then_some((1, Rule::EqualsInValue)));
            all.push(characters(rest, b"= \t\n\r;&|^~()!\"'\0", false).map(|size| (size, Rule::String)));
        }
        if is(&[VarFallback]) {
            all.push(characters(rest, b"\n\r;\"'}", true).map(|size| (size, Rule::String)));
        }
        if is(&[SectionValue, Offset]) {
            all.push(characters(rest, b"\n\r;\"']", true).map(|size| (size, Rule::String)));
        }
        if is(&[SectionValue, Value, VarFallback, Offset]) {
            all.push(starts(b'"').map(|size| (size, Rule::Quote)));
            all.push((blanks > 0).then_some((blanks, Rule::Whitespace)));
        }
        if is(&[Initial, RawValue]) {
            all.push((blanks > 0).then_some((blanks, Rule::Skipped)));
        }
        if is(&[Initial, Value, RawValue]) {
            all.push(newline(behind).map(|size| (blanks + size, Rule::Newline)));
            if behind.first() == Some(&b';') {
                let end = blanks + span(behind, |byte| !matches!(byte, b'\n' | b'\r'));
                all.push(newline(&rest[end..]).map(|size| (end + size, Rule::Newline)));
            }
        }
        if is(&[Value, RawValue]) {
            all.push(Some((1, Rule::EndOfValue)));
        }
        all
    }

    fn act(&mut self, rule: Rule, text: &[u8]) -> Option<Token> {
        let owned = || text.to_vec();
        Some(match rule {
            Rule::Section => {
                self.begin(if self.mode == Mode::Raw { State::SectionRaw } else { State::SectionValue });
                Token::Section
            }
            Rule::SectionEnd => {
                self.begin(State::Initial);
                self.line += 1;
                Token::Char(b']')
            }
            Rule::Offset => {
                self.begin(State::Offset);
                let end = text.iter().rposition(|&byte| byte == b'[').unwrap_or(text.len());
                Token::Offset(trimmed(&text[..end]))
            }
            Rule::OffsetEnd => {
                self.begin(State::Initial);
                Token::Char(b']')
            }
            Rule::SingleQuoted => Token::Raw(text[1..text.len() - 1].to_vec()),
            Rule::DollarCurly => {
                self.states.push(State::VarName);
                Token::DollarCurly
            }
            Rule::True => Token::True,
            Rule::False => Token::False,
            Rule::Null => Token::Null,
            Rule::Label => Token::Label(trimmed(text)),
            Rule::Equals => {
                self.begin(if self.mode == Mode::Raw { State::RawValue } else { State::Value });
                Token::Char(b'=')
            }
            Rule::Constant => Token::Constant(owned()),
            Rule::Number => Token::Number(owned()),
            Rule::Char => {
                if self.state() == State::VarFallback {
                    self.states.pop();
                }
                Token::Char(text[0])
            }
            Rule::Operator => Token::Char(text[0]),
            Rule::EqualsInValue => {
                self.at -= 1;
                self.begin(State::Initial);
                Token::EndOfLine
            }
            Rule::String => Token::String(owned()),
            Rule::Quote => {
                self.states.push(State::DoubleQuotes);
                Token::Char(b'"')
            }
            Rule::Whitespace => Token::Whitespace(owned()),
            Rule::Skipped => return None,
            Rule::Newline => {
                self.begin(State::Initial);
                self.line += 1;
                Token::EndOfLine
            }
            Rule::EndOfValue => {
                self.begin(State::Initial);
                Token::EndOfLine
            }
        })
    }

    /// A value of the raw mode: the rest of the line in front of a comment, without the double quotes around it.
    fn in_raw_value(&mut self) -> Option<Token> {
        let rest = &self.text[self.at..];
        let blanks = span(rest, is_blank);
        let is_empty = rest.get(blanks).is_none_or(|byte| b"\n\r;\0".contains(byte));
        if matches!(rest[0], b'\n' | b'\r' | b';' | 0) || is_empty {
            return None;
        }
        let line = &rest[blanks..blanks + span(&rest[blanks..], |byte| !matches!(byte, b'\n' | b'\r'))];
        let is_quoted = line.first() == Some(&b'"');
        // In a quoted value a comment starts behind the last quote.
        let from = match is_quoted {
            true => line.iter().rposition(|&byte| byte == b'"').unwrap_or(0),
            false => 0,
        };
        let end = line[from..].iter().position(|&byte| byte == b';').map_or(line.len(), |at| from + at);
        self.at += blanks + line.len();
        let value = trimmed(&line[..end]);
        Some(Token::Raw(match &value[..] {
            [b'"', inner @ .., b'"'] => inner.to_vec(),
            _ => value,
        }))
    }

    fn in_quotes(&mut self) -> Token {
        let rest = &self.text[self.at..];
        if rest[0] == b'"' {
            self.at += 1 + span(&rest[1..], is_blank);
            self.states.pop();
            return Token::Char(b'"');
        }
        if rest.starts_with(b"${") {
            self.at += 2;
            self.states.push(State::VarName);
            return Token::DollarCurly;
        }
        let mut size = 0;
        while let Some(&byte) = rest.get(size) {
            match (byte, rest.get(size + 1)) {
                (b'"', _) | (b'$', Some(b'{')) => break,
                // A folder's path may end in a backslash, so a quote at the end of the line closes the value even behind
                // one.
                (b'\\', Some(b'"')) if rest.get(size + 2).is_none_or(|next| matches!(next, b'\n' | b'\r')) => {
                    size += 1;
                    break;
                }
                (b'\\', Some(_)) => size += 2,
                _ => size += 1,
            }
        }
        self.at += size;
        let text = &rest[..size];
        self.line += text.iter().filter(|&&byte| byte == b'\n').count();
        Token::QuotedString(unescaped(text))
    }

    fn in_variable(&mut self) -> Token {
        let rest = &self.text[self.at..];
        if rest.starts_with(b":-") {
            self.at += 2;
            self.begin(State::VarFallback);
            return Token::Fallback;
        }
        if rest[0] == b'}' {
            self.at += 1;
            self.states.pop();
            return Token::Char(b'}');
        }
        // PHP loses names of one letter in front of a fallback.
        if is_label(rest[0]) && rest[1..].starts_with(b":-") {
            self.at += 2;
            self.begin(State::VarFallback);
            return Token::Fallback;
        }
        let mut size = 0;
        while rest.get(size).is_some_and(|&byte| size == 0 && is_label(byte) || size > 0 && is_name(byte))
            && !rest[size..].starts_with(b":-")
        {
            size += 1;
        }
        if size == 0 {
            return Token::End;
        }
        self.at += size;
        Token::VarName(trimmed(&rest[..size]))
    }
}

/// May a variable's name go on with this?
fn is_name(byte: u8) -> bool {
    !b"=\n\r\t;&|^$~(){}!\"[]".contains(&byte)
}

/// A word with a meaning, and the blanks behind it.
fn word(rest: &[u8]) -> Match {
    const WORDS: [(&str, Rule); 8] = [
        ("true", Rule::True),
        ("on", Rule::True),
        ("yes", Rule::True),
        ("false", Rule::False),
        ("off", Rule::False),
        ("none", Rule::False),
        ("no", Rule::False),
        ("null", Rule::Null),
    ];
    let found = WORDS
        .iter()
        .find(|(word, _)| rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes())));
    found.map(|(word, rule)| (word.len() + span(&rest[word.len()..], is_blank), *rule))
}

/// Replaces `\"`, `\\` and `\$` by their second character; other backslashes stay.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, byte == b'\\') {
            (_, true) => match bytes.next() {
                Some(next @ (b'"' | b'\\' | b'$')) => result.push(next),
                Some(next) => result.extend_from_slice(&[b'\\', next]),
                None => result.push(b'\\'),
            },
            (byte, false) => result.push(byte),
        }
    }
    result
}
