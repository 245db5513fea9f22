//! Strings: quotes, backticks, heredocs and nowdocs.

use super::script::{blanks_length, ends_label};
use super::{Heredoc, Lexer, Mode, is_label_start, label_length, newline_length};
use crate::token::TokenKind::*;
use memchr::memchr2;

impl Lexer<'_> {
    /// `'...'` after a prefix of `prefix` bytes.
    pub(super) fn single_quoted(&mut self, prefix: usize) {
        let text = self.rest();
        let mut at = prefix + 1;
        while let Some(offset) = memchr2(b'\'', b'\\', &text[at.min(text.len())..]) {
            at += offset;
            if text[at] == b'\'' {
                return self.multiline_token(QuotedString, at + 1);
            }
            at += 2;
        }
        // PHP does not count the lines of a string that never ends.
        self.token(StringContent, text.len());
    }

    /// `"..."`: one token if nothing is interpolated, else just the opening quote.
    pub(super) fn double_quoted(&mut self, prefix: usize) {
        let content = self.pos + prefix + 1;
        let end = self.content_end(content, b'"');
        if self.src.get(end) == Some(&b'"') {
            return self.multiline_token(QuotedString, end + 1 - self.pos);
        }
        self.scanned_to = end;
        self.mode = Mode::DoubleQuotes;
        self.token(DoubleQuote, prefix + 1);
    }

    pub(super) fn double_quotes(&mut self) {
        if self.src[self.pos] == b'"' {
            self.mode = Mode::Script;
            return self.token(DoubleQuote, 1);
        }
        self.interpolated_content(b'"');
    }

    pub(super) fn backquote(&mut self) {
        if self.src[self.pos] == b'`' {
            self.mode = Mode::Script;
            return self.token(Backquote, 1);
        }
        self.interpolated_content(b'`');
    }

    /// A variable part or the text up to the next one.
    fn interpolated_content(&mut self, quote: u8) {
        if self.interpolation() {
            return;
        }
        let end = if self.scanned_to > self.pos { self.scanned_to } else { self.content_end(self.pos, quote) };
        self.scanned_to = 0;
        self.multiline_token(StringContent, end - self.pos);
    }

    /// Where string content that starts at `from` ends: at `quote` or where a variable part starts.
    ///
    /// Content is never empty: a byte that starts nothing is taken as text.
    fn content_end(&self, from: usize, quote: u8) -> usize {
        let mut at = from;
        while at < self.src.len() {
            match self.src[at] {
                b'\\' => at += 1,
                byte if byte == quote => return at,
                b'$' | b'{' if self.starts_interpolation(at) => return at,
                _ => {}
            }
            at += 1;
        }
        self.src.len()
    }

    /// `$name`, `${` or `{$`
    fn starts_interpolation(&self, at: usize) -> bool {
        let second = self.src.get(at + 1).copied().unwrap_or(0);
        match self.src[at] {
            b'$' => is_label_start(second) || second == b'{',
            b'{' => second == b'$',
            _ => false,
        }
    }

    /// Takes the start of a variable part.
    fn interpolation(&mut self) -> bool {
        if !self.starts_interpolation(self.pos) {
            return false;
        }
        match (self.src[self.pos], self.peek(1)) {
            (b'{', _) => {
                self.push_mode(Mode::Script);
                self.open(b'{');
                self.token(CurlyOpen, 1);
            }
            (_, b'{') => {
                self.push_mode(Mode::VariableName);
                self.open(b'{');
                self.token(DollarBrace, 2);
            }
            _ => {
                self.variable();
                match self.rest() {
                    [b'[', ..] => self.push_mode(Mode::VariableOffset),
                    [b'-', b'>', next, ..] | [b'?', b'-', b'>', next, ..] if is_label_start(*next) => {
                        self.push_mode(Mode::Property);
                    }
                    _ => {}
                }
            }
        }
        true
    }

    /// Takes `<<<LABEL` and its line end, if it starts here after a prefix of `prefix` bytes.
    pub(super) fn heredoc_start(&mut self, prefix: usize) -> bool {
        let text = self.rest();
        if !text[prefix..].starts_with(b"<<<") {
            return false;
        }
        let mut at = prefix + 3;
        at += blanks_length(&text[at..]);
        let quote = text.get(at).copied().filter(|byte| matches!(byte, b'\'' | b'"'));
        at += usize::from(quote.is_some());
        let len = label_length(&text[at.min(text.len())..]);
        let label = (self.pos + at, self.pos + at + len);
        at += len;
        if quote.is_some() {
            if text.get(at) != quote.as_ref() {
                return false;
            }
            at += 1;
        }
        let newline = newline_length(&text[at.min(text.len())..]);
        if len == 0 || newline == 0 {
            return false;
        }
        let nowdoc = quote == Some(b'\'');
        self.open_heredocs.push(self.heredocs.len());
        let label = (label.0 as u32, label.1 as u32);
        self.heredocs.push(Heredoc { label, nowdoc, indentation: 0, uses_spaces: false });
        self.mode = if nowdoc { Mode::Nowdoc } else { Mode::Heredoc };
        let body = self.pos + at + newline;
        if self.closing_label(body).is_some() {
            self.line += 1;
            if !self.end_heredoc_at(body) {
                return true;
            }
            self.line -= 1;
        }
        self.multiline_token(StartHeredoc, at + newline);
        true
    }

    fn heredoc(&self) -> Heredoc {
        let innermost = self.open_heredocs.last().and_then(|&index| self.heredocs.get(index));
        innermost.copied().unwrap_or(Heredoc { label: (0, 0), nowdoc: true, indentation: 0, uses_spaces: true })
    }

    /// The white space before the closing label on the line that starts at `at`, if there is the label.
    fn closing_label(&self, at: usize) -> Option<usize> {
        let heredoc = self.heredoc();
        let label = &self.src[heredoc.label.0 as usize..heredoc.label.1 as usize];
        let line = &self.src[at.min(self.src.len())..];
        let indentation = blanks_length(line);
        let rest = &line[indentation..];
        let found = rest.len() > label.len() && rest.starts_with(label) && ends_label(rest.get(label.len()));
        found.then_some(indentation)
    }

    /// Records the indentation of the closing label on the line that starts at `at`; false on an error.
    fn end_heredoc_at(&mut self, at: usize) -> bool {
        let indentation = self.closing_label(at).unwrap_or(0);
        let blanks = &self.src[at..at + indentation];
        let uses_spaces = blanks.first() == Some(&b' ');
        if blanks.contains(&b'\t') && blanks.contains(&b' ') {
            self.fail("Invalid indentation - tabs and spaces cannot be mixed".to_string());
            if self.error.is_some() {
                return false;
            }
        }
        if let Some(heredoc) = self.open_heredocs.last().and_then(|&index| self.heredocs.get_mut(index)) {
            heredoc.indentation = indentation as u32;
            heredoc.uses_spaces = uses_spaces;
        }
        self.mode = Mode::HeredocEnd;
        true
    }

    pub(super) fn heredoc_body(&mut self) {
        if self.interpolation() {
            return;
        }
        let mut at = self.pos;
        while at < self.src.len() {
            match self.src[at] {
                b'\n' | b'\r' => {
                    at += newline_length(&self.src[at..]);
                    if self.closing_label(at).is_some() {
                        return self.last_content(at);
                    }
                }
                b'\\' => {
                    let next = self.src.get(at + 1);
                    at += if matches!(next, Some(b'\n' | b'\r') | None) { 1 } else { 2 };
                }
                b'$' | b'{' if self.starts_interpolation(at) => break,
                _ => at += 1,
            }
        }
        let end = at.min(self.src.len());
        self.multiline_token(StringContent, end - self.pos);
    }

    pub(super) fn nowdoc_body(&mut self) {
        let mut from = self.pos;
        while let Some(offset) = memchr2(b'\n', b'\r', &self.src[from..]) {
            from += offset;
            from += newline_length(&self.src[from..]);
            if self.closing_label(from).is_some() {
                return self.last_content(from);
            }
        }
        self.multiline_token(StringContent, self.src.len() - self.pos);
    }

    /// The content before the closing label's line, which starts at `end`.
    ///
    /// The line end belongs to the token, but counts as a line only for the next one.
    fn last_content(&mut self, end: usize) {
        let body = &self.src[self.pos..end];
        let newline = if body.ends_with(b"\r\n") { 2 } else { 1 };
        let lines = super::count_newlines(&body[..body.len() - newline]);
        if self.end_heredoc_at(end) {
            self.token(StringContent, end - self.pos);
            self.line += lines;
            self.pending_newline = true;
        }
    }

    pub(super) fn heredoc_end(&mut self) {
        let heredoc = self.heredoc();
        self.open_heredocs.pop();
        self.mode = Mode::Script;
        self.token(EndHeredoc, (heredoc.indentation + heredoc.label.1 - heredoc.label.0) as usize);
    }
}
