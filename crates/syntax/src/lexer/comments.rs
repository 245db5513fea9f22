//! White space and comments.

use super::{DocComment, Lexer, newline_length};
use crate::token::TokenKind;
use memchr::{memchr, memchr3};

impl Lexer<'_> {
    pub(super) fn whitespace(&mut self) {
        let len = whitespace_length(self.rest());
        self.trivia(TokenKind::Whitespace, len);
    }

    /// `// ...` and `# ...`: up to the line end or `?>`.
    pub(super) fn line_comment(&mut self) {
        let text = self.rest();
        let mut len = 1;
        while let Some(offset) = memchr3(b'\n', b'\r', b'?', &text[len..]) {
            len += offset;
            if text[len] != b'?' || text.get(len + 1) == Some(&b'>') {
                return self.trivia(TokenKind::Comment, len);
            }
            len += 1;
        }
        self.trivia(TokenKind::Comment, text.len());
    }

    /// `/* ... */`; a doc comment if white space follows `/**`.
    pub(super) fn block_comment(&mut self) {
        let text = self.rest();
        let is_doc = matches!(text, [_, _, b'*', b' ' | b'\t' | b'\r' | b'\n', ..]);
        let closed = block_comment_length(text);
        let len = closed.unwrap_or(text.len());
        let (start, line) = (self.pos as u32, self.line);
        if closed.is_none() {
            self.fail(format!("Unterminated comment starting line {line}"));
        }
        self.trivia(if is_doc { TokenKind::DocComment } else { TokenKind::Comment }, len);
        if is_doc && closed.is_some() {
            let before = self.tokens.len() as u32;
            self.doc_comments.push(DocComment { before, start, end: self.pos as u32 });
        }
    }
}

/// The length of the white space that `text` starts with.
pub(super) fn whitespace_length(text: &[u8]) -> usize {
    text.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).unwrap_or(text.len())
}

/// The length of the complete comment that `text` starts with.
fn block_comment_length(text: &[u8]) -> Option<usize> {
    let mut at = 2;
    loop {
        at += memchr(b'*', text.get(at..)?)?;
        if text.get(at + 1) == Some(&b'/') {
            return Some(at + 2);
        }
        at += 1;
    }
}

/// The length of all white space and complete comments that `text` starts with, as PHP's lexer rules
/// that look beyond them have it (comments with a NUL byte end it).
pub(super) fn skip_trivia(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let comment = match rest {
            [b' ' | b'\t' | b'\r' | b'\n', ..] => Some(whitespace_length(rest)),
            [b'/', b'*', ..] => block_comment_length(rest),
            [b'/', b'/', ..] => whole_line(rest),
            [b'#', next, ..] if *next != b'[' => whole_line(rest),
            _ => None,
        };
        match comment {
            Some(len) if memchr(0, &rest[..len]).is_none() => at += len,
            _ => return at,
        }
    }
}

fn whole_line(text: &[u8]) -> Option<usize> {
    let len = memchr::memchr2(b'\n', b'\r', text)?;
    Some(len + newline_length(&text[len..]))
}
