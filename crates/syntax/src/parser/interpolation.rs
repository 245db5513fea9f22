//! Strings: constant ones, interpolated ones, heredocs and backticks.

use super::{Parsed, Parser};
use crate::ast::{Bytes, Expr, ExprKind, ExprRef, MemberName, StrPart};
use crate::diagnostic::{Diagnostic, Severity};
use crate::lexer::Heredoc;
use crate::text::{self, TextError};
use crate::token::{Token, TokenKind::*};

const PARTS: &[crate::token::TokenKind] = &[Variable, DollarBrace, CurlyOpen];

impl<'a> Parser<'a> {
    /// The value of a quoted string without variables.
    pub(super) fn quoted_string(&mut self, token: Token) -> Parsed<Bytes<'a>> {
        let text = self.text(token);
        let text = text.strip_prefix(b"b").or(text.strip_prefix(b"B")).unwrap_or(text);
        let (quote, content) = (text[0], &text[1..text.len() - 1]);
        if quote == b'\'' {
            Ok(text::unescape_single(self.arena, content))
        } else {
            self.unescape(content, quote, token.line)
        }
    }

    /// Decodes escapes in `content`, which starts on `line`.
    fn unescape(&mut self, content: &'a [u8], quote: u8, line: u32) -> Parsed<Bytes<'a>> {
        let span = Self::token_span(self.tok);
        let diagnostics = &mut self.diagnostics;
        let mut warn = |warning: TextError| {
            let span = crate::ast::Span { line: line + warning.lines, ..span };
            diagnostics.push(Diagnostic::new(Severity::CompileWarning, warning.message, span));
        };
        let result = text::unescape_double(self.arena, content, quote, &mut warn);
        result.map_err(|error| self.parse_error(error.message, line + error.lines))
    }

    /// `"..$x.."`
    pub(super) fn interpolated_string(&mut self) -> Parsed<ExprRef<'a>> {
        let start = self.bump();
        let (parts, line) = self.parts(b'"', None)?;
        self.expect_after_parts(DoubleQuote, parts)?;
        let span = self.span(start.start, line);
        Ok(self.expr_node(span, ExprKind::Interpolated(parts)))
    }

    /// Backticks.
    pub(super) fn shell_exec(&mut self) -> Parsed<ExprRef<'a>> {
        let start = self.bump();
        let (parts, line) = self.parts(b'`', None)?;
        self.expect_after_parts(Backquote, parts)?;
        let span = self.span(start.start, line);
        Ok(self.expr_node(span, ExprKind::ShellExec(parts)))
    }

    /// A heredoc or nowdoc.
    pub(super) fn heredoc(&mut self) -> Parsed<ExprRef<'a>> {
        let heredoc = self.check_heredoc_start()?;
        let start = self.bump();
        self.next_heredoc += 1;
        let (parts, line) = self.parts(0, heredoc)?;
        self.expect_after_parts(EndHeredoc, parts)?;
        let kind = match parts {
            [] => ExprKind::Str(b""),
            [StrPart::Lit(text)] => ExprKind::Str(text),
            _ => ExprKind::Interpolated(parts),
        };
        Ok(self.expr_node(self.span(start.start, line), kind))
    }

    /// The closing token after `parts`, or what PHP would list instead of it.
    fn expect_after_parts(&mut self, end: crate::token::TokenKind, parts: &[StrPart<'a>]) -> Parsed<()> {
        if self.eat(end) {
            return Ok(());
        }
        let mut expected = PARTS.to_vec();
        match (end, parts) {
            (Backquote, _) => expected = vec![Backquote],
            (DoubleQuote, []) => expected.push(StringContent),
            (DoubleQuote, [StrPart::Lit(_)]) => {}
            (_, [StrPart::Lit(_)]) => expected.push(end),
            _ => expected.clear(),
        }
        Err(self.unexpected(&expected))
    }

    /// At the start of a heredoc: its data, unless its first line lacks the closing label's indentation.
    pub(super) fn check_heredoc_start(&mut self) -> Parsed<Option<Heredoc>> {
        let heredoc = self.heredocs.get(self.next_heredoc).copied();
        if let Some(heredoc) = heredoc
            && heredoc.indentation > 0
            && matches!(self.peek(1), Variable | DollarBrace | CurlyOpen)
        {
            let line = self.end_line(self.tok);
            return Err(self.parse_error(text::body_indentation_message(&heredoc), line));
        }
        Ok(heredoc)
    }

    /// Literal and variable parts up to anything else, and the line of the first.
    fn parts(&mut self, quote: u8, heredoc: Option<Heredoc>) -> Parsed<(&'a [StrPart<'a>], u32)> {
        let mut parts = Vec::new();
        let mut line = self.tok.line;
        loop {
            match self.tok.kind {
                StringContent => {
                    let content = match heredoc {
                        Some(heredoc) => self.heredoc_content(&heredoc)?,
                        None => self.unescape(self.text(self.tok), quote, self.tok.line)?,
                    };
                    self.bump();
                    parts.push(StrPart::Lit(content));
                }
                Variable | DollarBrace | CurlyOpen => {
                    let part = *self.variable_part()?;
                    if parts.is_empty() {
                        line = part.span.line;
                    }
                    parts.push(StrPart::Expr(part))
                }
                _ => break,
            }
        }
        Ok((self.slice(&parts), line))
    }

    /// The lookahead's text without the indentation, and unescaped.
    fn heredoc_content(&mut self, heredoc: &Heredoc) -> Parsed<Bytes<'a>> {
        let token = self.tok;
        let mut raw = self.text(token);
        let last = self.peek(1) == EndHeredoc;
        if last {
            raw = raw.strip_suffix(b"\r\n").or(raw.strip_suffix(b"\n")).or(raw.strip_suffix(b"\r")).unwrap_or(raw);
        }
        let before = self.src[..token.start as usize].last();
        let at_line_start = matches!(before, Some(b'\n' | b'\r'));
        let stripped = text::strip_indentation(self.arena, raw, heredoc, at_line_start, last);
        let stripped = stripped.map_err(|error| self.parse_error(error.message, token.line + error.lines))?;
        if heredoc.nowdoc { Ok(stripped) } else { self.unescape(stripped, 0, token.line) }
    }

    /// `$x`, `$x[0]`, `$x->y`, `{$expr}`, `${name}`, `${expr}`
    fn variable_part(&mut self) -> Parsed<ExprRef<'a>> {
        match self.tok.kind {
            Variable => self.simple_part(),
            CurlyOpen => {
                self.bump();
                let variable = self.variable()?;
                if !self.is(RightBrace) {
                    return Err(self.variable_goes_on());
                }
                self.bump();
                Ok(variable)
            }
            _ => self.dollar_brace_part(),
        }
    }

    fn simple_part(&mut self) -> Parsed<ExprRef<'a>> {
        let token = self.bump();
        let ident = self.variable_ident(token);
        let base = self.expr_node(ident.span, ExprKind::Var(ident.text));
        let node = |parser: &Self, kind| Ok(parser.expr_node(parser.span_from(token), kind));
        match self.tok.kind {
            LeftBracket => {
                self.bump();
                let index = Some(self.part_offset()?);
                self.expect(RightBracket)?;
                node(self, ExprKind::Dim { base, index })
            }
            Arrow | NullsafeArrow => {
                let nullsafe = self.bump().kind == NullsafeArrow;
                let name = self.expect(Identifier)?;
                let name = MemberName::Ident(self.ident(name));
                node(self, ExprKind::Prop { base, name, nullsafe })
            }
            _ => Ok(base),
        }
    }

    /// `0`, `-1`, `name` or `$i` in `"$x[..]"`
    fn part_offset(&mut self) -> Parsed<ExprRef<'a>> {
        let start = self.tok;
        let negative = self.eat(Minus);
        let token = self.tok;
        let kind = match token.kind {
            OffsetNumber => offset_number(self.arena, self.text(token), negative),
            Variable if !negative => ExprKind::Var(self.variable_ident(token).text),
            Identifier if !negative => ExprKind::Str(self.text(token)),
            _ if negative => return Err(self.unexpected(&[OffsetNumber])),
            _ => return Err(self.unexpected(&[Minus, Identifier, Variable, OffsetNumber])),
        };
        self.bump();
        Ok(self.expr_node(self.span_from(start), kind))
    }

    fn dollar_brace_part(&mut self) -> Parsed<ExprRef<'a>> {
        let start = self.bump();
        let is_name = self.is(VariableName);
        let part = if is_name {
            let token = self.bump();
            let base = self.expr_node(Self::token_span(token), ExprKind::Var(self.text(token)));
            if self.eat(LeftBracket) {
                let index = Some(self.expr()?);
                self.expect_after_expr(RightBracket)?;
                self.expect(RightBrace)?;
                self.expr_node(self.span(start.start, token.line), ExprKind::Dim { base, index })
            } else {
                if !self.is(RightBrace) {
                    return Err(self.unexpected(&[RightBrace, LeftBracket]));
                }
                self.bump();
                self.expr_node(self.span(start.start, token.line), base.kind)
            }
        } else {
            let expr = self.expr()?;
            self.expect_after_expr(RightBrace)?;
            self.expr_node(self.span(start.start, expr.span.line), ExprKind::VarVar(expr))
        };
        self.deprecate_dollar_brace(part, is_name);
        Ok(part)
    }

    fn deprecate_dollar_brace(&mut self, part: &Expr<'a>, is_name: bool) {
        let message = if is_name {
            "Using ${var} in strings is deprecated, use {$var} instead"
        } else {
            "Using ${expr} (variable variables) in strings is deprecated, use {${expr}} instead"
        };
        self.compile_diagnostics.push(Diagnostic::new(Severity::Deprecated, message, part.span));
    }
}

/// An integer if the text is one in its shortest form, else a string.
fn offset_number<'a>(arena: &'a bumpalo::Bump, text: &'a [u8], negative: bool) -> ExprKind<'a> {
    let canonical = text == b"0" || (text[0] != b'0' && text.iter().all(u8::is_ascii_digit));
    let value = String::from_utf8_lossy(text).parse::<i64>().ok().filter(|_| canonical);
    match value {
        Some(value) if !negative => ExprKind::Int(value),
        Some(value) if value != 0 => ExprKind::Int(-value),
        _ if negative => ExprKind::Str(arena.alloc_slice_copy(&[b"-", text].concat())),
        _ => ExprKind::Str(text),
    }
}
