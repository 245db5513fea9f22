//! PHP's messages for what cannot be parsed.

use super::{Parser, Stop};
use crate::ast::Span;
use crate::diagnostic::{Diagnostic, Severity};
use crate::lexer::count_newlines;
use crate::token::{Token, TokenKind};

/// PHP shortens what it quotes of a token's text to this many bytes.
const MAX_QUOTED: usize = 30;

impl<'a> Parser<'a> {
    /// The lookahead cannot stand here; `expected` lists what could, if PHP would list it.
    #[cold]
    pub(super) fn unexpected(&mut self, expected: &[TokenKind]) -> Stop {
        if self.report_lexical_error() {
            return Stop;
        }
        let mut message = b"syntax error, unexpected ".to_vec();
        message.extend(self.describe(self.tok));
        let after_keyword =
            self.argument_start.is_some_and(|start| start + 1 == self.at) && may_name_argument(self.last.kind);
        let mut expected = if after_keyword { vec![TokenKind::Colon] } else { expected.to_vec() };
        expected.sort();
        for (index, kind) in expected.into_iter().enumerate() {
            message.extend_from_slice(if index == 0 { b", expecting " } else { b" or " });
            message.extend(expected_text(kind).into_bytes());
        }
        self.parse_error(message, self.end_line(self.tok))
    }

    /// A parse error at the lookahead.
    #[cold]
    pub(super) fn parse_error(&mut self, message: impl Into<Vec<u8>>, line: u32) -> Stop {
        self.stop(Severity::ParseError, message, line)
    }

    /// A compile-time error that PHP raises while parsing, on the line that it has reached.
    #[cold]
    pub(super) fn fatal(&mut self, message: impl Into<Vec<u8>>) -> Stop {
        self.fatal_on(self.end_line(self.tok), message)
    }

    /// A compile-time error that PHP raises while parsing, on the given line.
    #[cold]
    pub(super) fn fatal_on(&mut self, line: u32, message: impl Into<Vec<u8>>) -> Stop {
        self.stop(Severity::CompileError, message, line)
    }

    /// Nesting is too deep; these are PHP's words for its parser's stack being full.
    #[cold]
    pub(super) fn too_deep(&mut self) -> Stop {
        let line = self.end_line(self.tok);
        self.parse_error("memory exhausted", line)
    }

    fn stop(&mut self, severity: Severity, message: impl Into<Vec<u8>>, line: u32) -> Stop {
        let span = Span { line, ..Self::token_span(self.tok) };
        self.diagnostics.push(Diagnostic::new(severity, message, span));
        Stop
    }

    /// Reports what is wrong with the text of the lookahead itself, which PHP finds first.
    fn report_lexical_error(&mut self) -> bool {
        match self.tok.kind {
            TokenKind::Error => {
                if let Some(error) = self.lex_error.take() {
                    self.parse_error(error.message, error.line);
                }
                true
            }
            TokenKind::QuotedString => self.quoted_string(self.tok).is_err(),
            TokenKind::StartHeredoc => self.check_heredoc_start().is_err(),
            _ => false,
        }
    }

    /// PHP's line after it has read `token`.
    pub(super) fn end_line(&self, token: Token) -> u32 {
        let text = self.text(token);
        match token.kind {
            TokenKind::InlineHtml | TokenKind::QuotedString | TokenKind::StartHeredoc | TokenKind::YieldFrom => {
                token.line + count_newlines(text)
            }
            TokenKind::StringContent if !text.starts_with(b"'") => {
                let follows = self.tokens.get(self.at + 1);
                let label_follows = follows.is_some_and(|next| next.kind == TokenKind::EndHeredoc);
                token.line + count_newlines(text) - u32::from(label_follows)
            }
            _ => token.line,
        }
    }

    /// How PHP describes a token that it did not expect.
    fn describe(&self, token: Token) -> Vec<u8> {
        let info = token.kind.info();
        let text = self.text(token);
        match token.kind {
            TokenKind::End => return b"end of file".to_vec(),
            TokenKind::DoubleQuote => return b"double-quote mark".to_vec(),
            TokenKind::BadCharacter => {
                return format!("character 0x{:02X}", text.first().copied().unwrap_or(0)).into_bytes();
            }
            _ => {}
        }
        if let Some(spelling) = quoted_spelling(info.text) {
            return format!("token \"{spelling}\"").into_bytes();
        }
        let kind = match (token.kind, text.first()) {
            (TokenKind::QuotedString, Some(b'"')) => "double-quoted string",
            (TokenKind::QuotedString, Some(b'\'')) => "single-quoted string",
            _ => info.text,
        };
        let mut quote = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let is_quote = |byte: &u8| matches!(byte, b'\'' | b'"');
        if quote.first().is_some_and(is_quote) {
            quote = &quote[1..];
        }
        if quote.last().is_some_and(is_quote) {
            quote = &quote[..quote.len() - 1];
        }
        let shortened = quote.len() > MAX_QUOTED + "...".len();
        let mut out = format!("{kind} \"").into_bytes();
        out.extend_from_slice(if shortened { &quote[..MAX_QUOTED] } else { quote });
        out.extend_from_slice(if shortened { b"...\"" } else { b"\"" });
        out
    }
}

/// How PHP describes a token that it would accept.
fn expected_text(kind: TokenKind) -> String {
    if kind == TokenKind::Ampersand {
        // PHP has two tokens `&`; its list has the internal name of this one.
        return "amp".to_string();
    }
    let text = kind.info().text;
    match quoted_spelling(text) {
        Some(spelling) => format!("\"{spelling}\""),
        None => text.to_string(),
    }
}

/// The spelling of a token that has only one.
fn quoted_spelling(text: &str) -> Option<&str> {
    text.strip_prefix('\'')?.strip_suffix('\'')
}

/// Keywords that, at the start of an argument, PHP's parser prefers to see as its name when an error follows.
fn may_name_argument(kind: TokenKind) -> bool {
    use TokenKind::*;
    let is_magic_const = kind >= MagicLine && kind <= MagicNamespace;
    kind.is_semi_reserved() && !is_magic_const && !matches!(kind, Yield | Exit | Function | Fn)
}
