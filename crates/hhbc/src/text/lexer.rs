//! Words of the text form.

use std::fmt;

/// Why a text was refused, with the line where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsmError {
    pub line: u32,
    pub message: String,
}

impl fmt::Display for AsmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for AsmError {}

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token<'t> {
    /// Letters, digits and `_`, not starting with a digit.
    Word(&'t str),
    /// `.name`
    Directive(&'t str),
    /// `$name`
    Local(&'t str),
    /// A number, its sign included; `inf`, `-inf` and `nan` with its bits are words.
    Number(&'t str),
    String(Vec<u8>),
    Punct(char),
    /// `=>`
    Arrow,
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(text) | Token::Number(text) => write!(f, "`{text}`"),
            Token::Directive(name) => write!(f, "`.{name}`"),
            Token::Local(name) => write!(f, "`${name}`"),
            Token::String(bytes) => write!(f, "\"{}\"", bytes.escape_ascii()),
            Token::Punct(c) => write!(f, "`{c}`"),
            Token::Arrow => write!(f, "`=>`"),
            Token::End => write!(f, "the end of the file"),
        }
    }
}

/// Splits a text into words with their lines; the last is [`Token::End`].
pub fn tokenize(text: &str) -> Result<Vec<(Token<'_>, u32)>, AsmError> {
    let mut lexer = Lexer { text, position: 0, line: 1 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let line = lexer.line;
        let token = lexer.token()?;
        let done = token == Token::End;
        tokens.push((token, line));
        if done {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    position: usize,
    line: u32,
}

impl<'t> Lexer<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, AsmError> {
        Err(AsmError { line: self.line, message: message.into() })
    }

    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => self.line += 1,
                b'#' => {
                    self.take_while(|b| b != b'\n');
                    continue;
                }
                b' ' | b'\t' | b'\r' | b';' => {}
                _ => return,
            }
            self.position += 1;
        }
    }

    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> &'t str {
        let start = self.position;
        while self.peek().is_some_and(&accept) {
            self.position += 1;
        }
        &self.text[start..self.position]
    }

    fn word(&mut self) -> &'t str {
        self.take_while(|b| b.is_ascii_alphanumeric() || b == b'_')
    }

    fn token(&mut self) -> Result<Token<'t>, AsmError> {
        let Some(byte) = self.peek() else { return Ok(Token::End) };
        match byte {
            b'"' => self.string(),
            b'0'..=b'9' | b'-' => Ok(Token::Number(self.number())),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Ok(Token::Word(self.word())),
            b'.' => {
                self.position += 1;
                Ok(Token::Directive(self.word()))
            }
            b'$' => {
                self.position += 1;
                Ok(Token::Local(self.word()))
            }
            b'=' if self.text.as_bytes().get(self.position + 1) == Some(&b'>') => {
                self.position += 2;
                Ok(Token::Arrow)
            }
            b'{' | b'}' | b'[' | b']' | b'(' | b')' | b'<' | b'>' | b'=' | b',' | b':' | b'|' | b'@' => {
                self.position += 1;
                Ok(Token::Punct(char::from(byte)))
            }
            _ => {
                let c = self.text[self.position..].chars().next().unwrap_or('?');
                self.error(format!("unexpected character {c:?}"))
            }
        }
    }

    fn number(&mut self) -> &'t str {
        let start = self.position;
        let mut previous = b' ';
        while let Some(byte) = self.peek() {
            let sign = byte == b'-' && (self.position == start || matches!(previous, b'e' | b'E'));
            if !(byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' || sign) {
                break;
            }
            previous = byte;
            self.position += 1;
        }
        &self.text[start..self.position]
    }

    fn string(&mut self) -> Result<Token<'t>, AsmError> {
        let mut bytes = Vec::new();
        self.position += 1;
        loop {
            let Some(byte) = self.peek() else { return self.error("the string is not closed") };
            self.position += 1;
            match byte {
                b'"' => return Ok(Token::String(bytes)),
                b'\n' => return self.error("the string is not closed on its line"),
                b'\\' => bytes.push(self.escape()?),
                _ => bytes.push(byte),
            }
        }
    }

    fn escape(&mut self) -> Result<u8, AsmError> {
        let Some(byte) = self.peek() else { return self.error("the string is not closed") };
        self.position += 1;
        match byte {
            b'n' => Ok(b'\n'),
            b'r' => Ok(b'\r'),
            b't' => Ok(b'\t'),
            b'\\' | b'"' | b'\'' => Ok(byte),
            b'x' => {
                let digits = self.text.as_bytes().get(self.position..self.position + 2);
                let value =
                    digits.and_then(|d| std::str::from_utf8(d).ok()).and_then(|d| u8::from_str_radix(d, 16).ok());
                self.position = (self.position + 2).min(self.text.len());
                value.map_or_else(|| self.error("`\\x` needs two hexadecimal digits"), Ok)
            }
            _ => self.error(format!("unknown escape `\\{}`", byte.escape_ascii())),
        }
    }
}
