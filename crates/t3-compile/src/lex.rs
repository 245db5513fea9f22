//! Source text to tokens. A string with embedded expressions is one token, with the tokens of the expressions inside.

use std::iter::Peekable;
use std::str::Chars;

/// Part of a string.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    /// Text as it is.
    Text(String),
    /// The tokens between `<<` and `>>`.
    Code(Vec<Token>),
}

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Name(String),
    Int(i32),
    /// A number with a fraction or exponent, or one too large for an integer.
    Real(String),
    /// A string in single quotes.
    Single(Vec<Piece>),
    /// A string in double quotes.
    Double(Vec<Piece>),
    /// `R'...'`: a regular expression.
    Pattern(String),
    /// An operator or other mark.
    Mark(&'static str),
}

/// Marks, the longest first among those that begin alike.
const MARKS: &[&str] = &[
    ">>>=", "...", "<<=", ">>=", ">>>", "->", "++", "--", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+=", "-=",
    "*=", "/=", "%=", "&=", "|=", "^=", "??", "..", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "=", "<", ">",
    "?", ":", ",", ";", ".", "(", ")", "[", "]", "{", "}", "@", "#",
];

/// Strings in strings in strings end somewhere.
const MAX_DEPTH: usize = 20;

/// Reads tokens.
struct Lexer<'a> {
    chars: Peekable<Chars<'a>>,
    /// Names for the numbered parameters in a macro's expansion.
    parameters: &'a [String],
    depth: usize,
}

/// The tokens of a source text.
pub(super) fn tokens(source: &str) -> Result<Vec<Token>, String> {
    expansion(source, &[])
}

/// The tokens of a macro's expansion, where a control character and a number stand for a parameter.
pub(super) fn expansion(source: &str, parameters: &[String]) -> Result<Vec<Token>, String> {
    Lexer { chars: source.chars().peekable(), parameters, depth: 0 }.run(false)
}

impl Lexer<'_> {
    /// Tokens up to the end, or up to the `>>` that ends an embedded expression.
    fn run(&mut self, embedded: bool) -> Result<Vec<Token>, String> {
        let mut out = Vec::new();
        let mut open = 0usize;
        while self.skip_blanks()? {
            let Some(c) = self.chars.peek().copied() else { break };
            match c {
                '\'' | '"' => out.push(self.string(c)?),
                '0'..='9' => out.push(self.number()),
                '.' if self.second().is_some_and(|c| c.is_ascii_digit()) => out.push(self.number()),
                '\u{1}' => {
                    self.chars.next();
                    let index = self.chars.next().map_or(0, |c| c as usize);
                    let name = self.parameters.get(index.wrapping_sub(1)).cloned();
                    out.push(Token::Name(name.unwrap_or_default()));
                }
                c if c.is_alphabetic() || c == '_' => {
                    let mut name = String::new();
                    while let Some(c) = self.chars.next_if(|c| c.is_alphanumeric() || *c == '_') {
                        name.push(c);
                    }
                    out.push(match self.chars.peek() {
                        Some('\'' | '"') if name == "R" => self.pattern()?,
                        _ => Token::Name(name),
                    });
                }
                _ => {
                    let rest = self.chars.clone();
                    let found = MARKS.iter().find(|mark| rest.clone().take(mark.len()).eq(mark.chars()));
                    let Some(mark) = found.copied() else { return Err(format!("error: invalid character \"{c}\"")) };
                    if embedded && open == 0 && mark.starts_with(">>") {
                        self.chars.nth(1);
                        return Ok(out);
                    }
                    match mark {
                        "(" | "[" | "{" => open += 1,
                        ")" | "]" | "}" => open = open.saturating_sub(1),
                        _ => {}
                    }
                    self.chars.nth(mark.len() - 1);
                    out.push(Token::Mark(mark));
                }
            }
        }
        if embedded { Err("error: embedded expression is not ended".to_owned()) } else { Ok(out) }
    }

    fn second(&self) -> Option<char> {
        let mut rest = self.chars.clone();
        rest.nth(1)
    }

    /// Skips blanks and comments; whether anything is left.
    fn skip_blanks(&mut self) -> Result<bool, String> {
        loop {
            while self.chars.next_if(|c| c.is_whitespace()).is_some() {}
            match (self.chars.peek().copied(), self.second()) {
                (Some('/'), Some('/')) => while self.chars.next_if(|c| *c != '\n').is_some() {},
                (Some('/'), Some('*')) => {
                    let mut last = ' ';
                    self.chars.nth(1);
                    loop {
                        match self.chars.next() {
                            Some('/') if last == '*' => break,
                            Some(c) => last = c,
                            None => return Err("error: comment is not ended".to_owned()),
                        }
                    }
                }
                (None, _) => return Ok(false),
                _ => return Ok(true),
            }
        }
    }

    fn number(&mut self) -> Token {
        let mut text = String::new();
        if self.chars.peek() == Some(&'0') && matches!(self.second(), Some('x' | 'X')) {
            self.chars.nth(1);
            while let Some(c) = self.chars.next_if(char::is_ascii_hexdigit) {
                text.push(c);
            }
            return match u32::from_str_radix(&text, 16) {
                Ok(number) => Token::Int(number as i32),
                Err(_) => Token::Real("0".to_owned()),
            };
        }
        let mut real = false;
        while let Some(c) = self.chars.peek().copied() {
            let takes = match c {
                '0'..='9' => true,
                '.' if !real => self.second().is_some_and(|c| c.is_ascii_digit()),
                'e' | 'E' => {
                    let mut rest = self.chars.clone();
                    rest.next();
                    rest.next_if(|c| matches!(c, '+' | '-'));
                    rest.next().is_some_and(|c| c.is_ascii_digit())
                }
                '+' | '-' => real && text.ends_with(['e', 'E']),
                _ => false,
            };
            if !takes {
                break;
            }
            real |= matches!(c, '.' | 'e' | 'E');
            text.push(c);
            self.chars.next();
        }
        if real {
            return Token::Real(text);
        }
        let radix = if text.starts_with('0') { 8 } else { 10 };
        match i32::from_str_radix(&text, radix) {
            Ok(number) => Token::Int(number),
            Err(_) => Token::Real(text),
        }
    }

    fn pattern(&mut self) -> Result<Token, String> {
        let quote = self.chars.peek().copied().unwrap_or('\'');
        match self.string(quote)? {
            Token::Single(pieces) | Token::Double(pieces) => match &pieces[..] {
                [Piece::Text(text)] => Ok(Token::Pattern(text.clone())),
                _ => Err("error: a regular expression has no embedded expressions".to_owned()),
            },
            other => Ok(other),
        }
    }

    fn string(&mut self, quote: char) -> Result<Token, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("error: strings are nested too deeply".to_owned());
        }
        let rest = self.chars.clone();
        let triple = rest.take(3).eq([quote; 3]);
        self.chars.nth(if triple { 2 } else { 0 });
        let (mut pieces, mut text) = (Vec::new(), String::new());
        loop {
            let Some(c) = self.chars.next() else { return Err("error: string is not ended".to_owned()) };
            match c {
                c if c == quote && !triple => break,
                c if c == quote && self.chars.clone().take(2).eq([quote; 2]) => {
                    self.chars.nth(1);
                    break;
                }
                '\\' => self.escape(&mut text),
                '\n' | '\r' => {
                    // A line break with the blanks after it is one blank.
                    while self.chars.next_if(|c| c.is_whitespace()).is_some() {}
                    text.push(' ');
                }
                '<' if self.chars.peek() == Some(&'<') => {
                    self.chars.next();
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                    pieces.push(Piece::Code(self.run(true)?));
                }
                '\u{1}' => {
                    let index = self.chars.next().map_or(0, |c| c as usize);
                    text.push_str(self.parameters.get(index.wrapping_sub(1)).map_or("", String::as_str));
                }
                c => text.push(c),
            }
        }
        if !text.is_empty() || pieces.is_empty() {
            pieces.push(Piece::Text(text));
        }
        self.depth -= 1;
        Ok(if quote == '"' { Token::Double(pieces) } else { Token::Single(pieces) })
    }

    fn escape(&mut self, text: &mut String) {
        let mut code = |lexer: &mut Self, radix: u32, most: usize| {
            let mut number = 0;
            for _ in 0..most {
                match lexer.chars.next_if(|c| c.is_digit(radix)) {
                    Some(c) => number = number * radix + c.to_digit(radix).unwrap_or(0),
                    None => break,
                }
            }
            text.push(char::from_u32(number).unwrap_or('?'));
        };
        match self.chars.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('b') => text.push('\u{b}'),
            Some('^') => text.push('\u{f}'),
            Some('v') => text.push('\u{e}'),
            Some(' ') => text.push('\u{15}'),
            Some('u') => code(self, 16, 4),
            Some('x') => code(self, 16, 2),
            Some(other) => text.push(other),
            None => {}
        }
    }
}
