//! Argument lists.

use super::expr::starts_expr;
use super::{Parsed, Parser};
use crate::ast::{Arg, Args, Span};
use crate::token::TokenKind::*;

impl<'a> Parser<'a> {
    /// `(..)` after something callable.
    pub(super) fn arguments(&mut self) -> Parsed<Args<'a>> {
        let open = self.bump();
        let first_class_callable = self.is(Ellipsis) && self.peek(1) == RightParen;
        if first_class_callable {
            self.bump();
        }
        if self.is(RightParen) {
            let close = self.bump();
            let span = Span { line: close.line, ..self.span_from(open) };
            return Ok(Args { span, items: &[], first_class_callable });
        }
        let mut items = Vec::new();
        loop {
            items.push(self.argument()?);
            if !self.eat(Comma) || self.is(RightParen) {
                break;
            }
            if !self.starts_argument() {
                return Err(self.unexpected(&[RightParen]));
            }
        }
        self.expect(RightParen)?;
        let line = items[0].name.map_or(items[0].value.span.line, |name| name.span.line);
        Ok(Args { span: self.span(open.start, line), items: self.slice(&items), first_class_callable: false })
    }

    fn starts_argument(&self) -> bool {
        let kind = self.tok.kind;
        starts_expr(kind) || kind == Ellipsis || kind.is_identifier()
    }

    /// Is this an identifier that could only name an argument? (Before `as` too: that comes from
    /// the merging of states in PHP's parser, as `as` follows identifiers in trait rules.)
    fn names_argument_only(&self) -> bool {
        let kind = self.tok.kind;
        (kind.is_identifier() && !starts_expr(kind)) || (kind == Identifier && self.peek(1) == As)
    }

    fn argument(&mut self) -> Parsed<Arg<'a>> {
        if self.eat(Ellipsis) {
            let value = *self.expr()?;
            return Ok(Arg { value, spread: true, name: None });
        }
        self.argument_start = Some(self.at);
        let mut name = None;
        if self.tok.kind.is_identifier() && self.peek(1) == Colon {
            name = Some(self.take_identifier()?);
            self.bump();
        } else if self.names_argument_only() {
            self.take_identifier()?;
            return Err(self.unexpected(&[Colon]));
        }
        let value = *self.expr()?;
        Ok(Arg { value, spread: false, name })
    }

    /// The arguments of `new C` and `exit` without parentheses.
    pub(super) fn no_arguments(&self) -> Args<'a> {
        let span = Span { start: self.last.end, end: self.last.end, line: self.end_line(self.tok) };
        Args { span, items: &[], first_class_callable: false }
    }
}
