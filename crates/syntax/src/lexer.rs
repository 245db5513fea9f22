//! Source text to tokens, with PHP's lexer modes.
//!
//! The whole file is split before parsing starts, so the parser can look ahead freely and a heredoc's
//! closing indentation is known before its first line is read. Token texts stay raw: escapes,
//! indentation and numbers are decoded by [`crate::text`] when the parser takes a token.

mod comments;
mod keywords;
mod quoted;
mod script;

use crate::token::{Token, TokenKind};
use memchr::memchr;

/// Are white space and comments tokens (for `ext/tokenizer`) or skipped (for the parser)?
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trivia {
    Keep,
    Skip,
}

/// PHP's start conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Html,
    Script,
    /// After `->`: a keyword is a plain name here.
    Property,
    /// After `${` in a string.
    VariableName,
    /// After `$name[` in a string.
    VariableOffset,
    DoubleQuotes,
    Backquote,
    Heredoc,
    Nowdoc,
    HeredocEnd,
}

/// A heredoc or nowdoc, in order of appearance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heredoc {
    /// Its label in the source.
    label: (u32, u32),
    pub nowdoc: bool,
    /// White space before the closing label, which every line must have too.
    pub indentation: u32,
    pub uses_spaces: bool,
}

/// An error found while splitting; what follows it is never parsed.
#[derive(Clone, Debug)]
pub(crate) struct LexError {
    pub message: String,
    pub line: u32,
}

/// A doc comment and the index of the token that follows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DocComment {
    pub before: u32,
    pub start: u32,
    pub end: u32,
}

/// Everything the lexer found.
pub(crate) struct Lexed {
    pub tokens: Vec<Token>,
    pub heredocs: Vec<Heredoc>,
    pub doc_comments: Vec<DocComment>,
    /// Explains the [`TokenKind::Error`] token, which then is the last but one.
    pub error: Option<LexError>,
}

pub(crate) struct Lexer<'s> {
    src: &'s [u8],
    pos: usize,
    line: u32,
    mode: Mode,
    modes: Vec<Mode>,
    /// Open brackets with their lines.
    nesting: Vec<(u8, u32)>,
    open_heredocs: Vec<usize>,
    /// End of the string content that was scanned while looking for a constant string.
    scanned_to: usize,
    /// A newline that belongs to the next token's line count.
    pending_newline: bool,
    /// Tokens still to come of `__halt_compiler();`, after which the rest is data.
    halt_in: Option<u8>,
    short_open_tag: bool,
    trivia: Trivia,
    tokens: Vec<Token>,
    heredocs: Vec<Heredoc>,
    doc_comments: Vec<DocComment>,
    error: Option<LexError>,
}

impl<'s> Lexer<'s> {
    pub(crate) fn new(
        src: &'s [u8],
        short_open_tag: bool,
        start_in_php: bool,
        first_line: u32,
        trivia: Trivia,
    ) -> Lexer<'s> {
        Lexer {
            src,
            pos: 0,
            line: first_line,
            mode: if start_in_php { Mode::Script } else { Mode::Html },
            modes: Vec::new(),
            nesting: Vec::new(),
            open_heredocs: Vec::new(),
            scanned_to: 0,
            pending_newline: false,
            halt_in: None,
            short_open_tag,
            trivia,
            tokens: Vec::with_capacity(src.len() / 4 + 2),
            heredocs: Vec::new(),
            doc_comments: Vec::new(),
            error: None,
        }
    }

    /// Splits the source; the last token is always [`TokenKind::End`].
    pub(crate) fn run(mut self) -> Lexed {
        while self.error.is_none() {
            if self.pending_newline {
                self.pending_newline = false;
                self.line += 1;
            }
            if self.pos >= self.src.len() {
                self.check_nesting_at_end();
                break;
            }
            match self.mode {
                Mode::Html => self.html(),
                Mode::Script => self.script(),
                Mode::Property => self.property(),
                Mode::VariableName => self.variable_name(),
                Mode::VariableOffset => self.variable_offset(),
                Mode::DoubleQuotes => self.double_quotes(),
                Mode::Backquote => self.backquote(),
                Mode::Heredoc => self.heredoc_body(),
                Mode::Nowdoc => self.nowdoc_body(),
                Mode::HeredocEnd => self.heredoc_end(),
            }
            if self.halt_in == Some(0) {
                self.rest_is_data();
                break;
            }
        }
        let end = self.pos.min(self.src.len()) as u32;
        self.line += u32::from(self.pending_newline);
        self.tokens.push(Token { kind: TokenKind::End, start: end, end, line: self.line });
        Lexed { tokens: self.tokens, heredocs: self.heredocs, doc_comments: self.doc_comments, error: self.error }
    }

    /// The byte `ahead` of the current one; 0 after the end, as PHP's padded buffer has it.
    fn peek(&self, ahead: usize) -> u8 {
        self.src.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn rest(&self) -> &'s [u8] {
        &self.src[self.pos.min(self.src.len())..]
    }

    /// Ends the token that started at the current position after `len` bytes without a newline.
    fn token(&mut self, kind: TokenKind, len: usize) {
        let start = self.pos as u32;
        self.pos += len;
        self.push(Token { kind, start, end: self.pos as u32, line: self.line });
    }

    /// Ends the token after `len` bytes, which may have newlines.
    fn multiline_token(&mut self, kind: TokenKind, len: usize) {
        let line = self.line;
        let start = self.pos;
        self.pos += len;
        self.line += count_newlines(&self.src[start..self.pos]);
        self.push(Token { kind, start: start as u32, end: self.pos as u32, line });
    }

    fn push(&mut self, token: Token) {
        if let Some(left) = &mut self.halt_in {
            *left = left.saturating_sub(1);
        }
        if token.kind == TokenKind::HaltCompiler {
            self.halt_in = Some(3);
        }
        self.tokens.push(token);
    }

    /// White space or a comment of `len` bytes.
    fn trivia(&mut self, kind: TokenKind, len: usize) {
        let line = self.line;
        let start = self.pos;
        self.pos += len;
        self.line += count_newlines(&self.src[start..self.pos]);
        if self.trivia == Trivia::Keep {
            self.tokens.push(Token { kind, start: start as u32, end: self.pos as u32, line });
        }
    }

    /// Reports an error at the current position, unless errors do not matter to the caller.
    fn fail(&mut self, message: String) {
        if self.trivia == Trivia::Skip {
            self.token(TokenKind::Error, 0);
            self.error = Some(LexError { message, line: self.line });
        }
    }

    fn push_mode(&mut self, mode: Mode) {
        self.modes.push(self.mode);
        self.mode = mode;
    }

    fn pop_mode(&mut self) {
        if let Some(mode) = self.modes.pop() {
            self.mode = mode;
        }
    }

    fn open(&mut self, bracket: u8) {
        self.nesting.push((bracket, self.line));
    }

    /// Ends the one-byte token of a closing bracket, if it fits what was opened.
    fn close(&mut self, bracket: u8, kind: TokenKind) {
        match self.nesting.last() {
            None => self.fail(format!("Unmatched '{}'", bracket as char)),
            Some(&(open, line)) if closing(open) != bracket => {
                let message = self.unclosed(open, line) + &format!(" does not match '{}'", bracket as char);
                self.fail(message);
            }
            Some(_) => {
                self.nesting.pop();
            }
        }
        if self.error.is_none() {
            self.token(kind, 1);
        }
    }

    fn check_nesting_at_end(&mut self) {
        if let Some(&(open, line)) = self.nesting.last() {
            let message = self.unclosed(open, line);
            self.fail(message);
        }
    }

    fn unclosed(&self, open: u8, line: u32) -> String {
        let place = if line == self.line { String::new() } else { format!(" on line {line}") };
        format!("Unclosed '{}'{place}", open as char)
    }

    /// Goes behind a first line `#!...`.
    pub(crate) fn skip_shebang(&mut self) {
        if self.mode == Mode::Html && self.src.starts_with(b"#!") {
            let len = line_length(self.src);
            if len < self.src.len() {
                self.pos = len + newline_length(&self.src[len..]);
                self.line += 1;
            }
        }
    }

    /// Text outside of `<?php ... ?>`.
    fn html(&mut self) {
        if let Some(len) = self.open_tag(self.pos) {
            return self.enter_script(len);
        }
        let mut at = self.pos + 1;
        let end = loop {
            match memchr(b'<', &self.src[at.min(self.src.len())..]) {
                None => break self.src.len(),
                Some(offset) if self.open_tag(at + offset).is_some() => break at + offset,
                Some(offset) => at += offset + 1,
            }
        };
        self.multiline_token(TokenKind::InlineHtml, end - self.pos);
    }

    /// The length of the opening tag at `at`.
    fn open_tag(&self, at: usize) -> Option<usize> {
        let text = &self.src[at..];
        if !text.starts_with(b"<?") {
            return None;
        }
        if text.get(2) == Some(&b'=') {
            return Some(3);
        }
        if text.len() >= 5 && text[2..5].eq_ignore_ascii_case(b"php") {
            match text.get(5) {
                None => return Some(5),
                Some(b' ' | b'\t' | b'\n') => return Some(6),
                Some(b'\r') => return Some(5 + newline_length(&text[5..])),
                Some(_) => {}
            }
        }
        self.short_open_tag.then_some(2)
    }

    fn enter_script(&mut self, len: usize) {
        self.mode = Mode::Script;
        if self.peek(2) != b'=' {
            self.trivia(TokenKind::OpenTag, len);
        } else if self.trivia == Trivia::Keep {
            self.token(TokenKind::OpenTagEcho, len);
        } else {
            self.token(TokenKind::Echo, len);
        }
    }

    /// What follows `__halt_compiler();`.
    fn rest_is_data(&mut self) {
        if self.trivia == Trivia::Keep && self.pos < self.src.len() {
            self.multiline_token(TokenKind::InlineHtml, self.src.len() - self.pos);
        }
    }
}

fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

pub(crate) fn is_label_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

pub(crate) fn is_label_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The length of the identifier that `text` starts with.
pub(crate) fn label_length(text: &[u8]) -> usize {
    match text.first() {
        Some(&first) if is_label_start(first) => {
            text.iter().position(|&byte| !is_label_byte(byte)).unwrap_or(text.len())
        }
        _ => 0,
    }
}

/// Line ends in `text`: `\n`, `\r\n` or `\r`.
pub(crate) fn count_newlines(text: &[u8]) -> u32 {
    let lines = memchr::memchr_iter(b'\n', text).count();
    let lone = memchr::memchr_iter(b'\r', text).filter(|&at| text.get(at + 1) != Some(&b'\n')).count();
    (lines + lone) as u32
}

/// Length of the line end that `text` starts with, 0 if there is none.
pub(crate) fn newline_length(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Length of the first line of `text` without its line end.
fn line_length(text: &[u8]) -> usize {
    memchr::memchr2(b'\n', b'\r', text).unwrap_or(text.len())
}
