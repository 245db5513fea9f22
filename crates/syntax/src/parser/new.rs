//! `new`, and the class references that it shares with `instanceof`.

use super::operand::{Shape, property_of};
use super::{Parsed, Parser};
use crate::ast::{ClassRef, ExprKind, ExprRef, Name, NewClass, Span};
use crate::token::TokenKind::*;

/// The class of `new` and `instanceof`.
pub(super) enum NewName<'a> {
    Name(Name<'a>),
    Expr(ExprRef<'a>),
}

impl<'a> Parser<'a> {
    pub(super) fn new_object(&mut self) -> Parsed<(ExprRef<'a>, Shape)> {
        let start = self.bump();
        let attributes = self.attributes()?;
        if !attributes.is_empty() || matches!(self.tok.kind, Class | Abstract | Final | Readonly) {
            let (class, args) = self.anonymous_class(attributes)?;
            let span = self.span(start.start, class.span.line);
            let kind = ExprKind::New { class: NewClass::Anonymous(class), args };
            return Ok((self.expr_node(span, kind), Shape::VALUE));
        }
        let (class, line) = match self.new_class_name()? {
            NewName::Name(name) => (NewClass::Name(name), name.span.line),
            NewName::Expr(expr) => (NewClass::Expr(expr), expr.span.line),
        };
        if self.is(LeftParen) {
            let args = self.arguments()?;
            let span = self.span(start.start, line);
            return Ok((self.expr_node(span, ExprKind::New { class, args }), Shape::VALUE));
        }
        let span = self.span(start.start, line);
        let args = self.no_arguments();
        Ok((self.expr_node(span, ExprKind::New { class, args }), Shape::CLOSED))
    }

    pub(super) fn new_class_name(&mut self) -> Parsed<NewName<'a>> {
        let token = self.tok;
        let first = match token.kind {
            LeftParen => {
                self.bump();
                let expr = self.expr()?;
                self.expect_after_expr(RightParen)?;
                return Ok(NewName::Expr(self.parenthesized(expr)));
            }
            Variable | Dollar => self.simple_variable()?,
            kind if kind.is_name() || kind == Static => {
                self.bump();
                let name = self.name(token);
                if !self.is(DoubleColon) {
                    return Ok(NewName::Name(name));
                }
                self.new_static_property(ClassRef::Name(name), name.span)?
            }
            _ => return Err(self.unexpected(if self.last.kind == New { &[Class] } else { &[] })),
        };
        self.new_variable(first).map(NewName::Expr)
    }

    /// Properties and indexes after `variable`, but no calls.
    fn new_variable(&mut self, mut variable: ExprRef<'a>) -> Parsed<ExprRef<'a>> {
        let mut length = 0;
        loop {
            self.link(&mut length)?;
            variable = match self.tok.kind {
                LeftBracket => self.index(variable)?,
                Arrow | NullsafeArrow => {
                    let nullsafe = self.bump().kind == NullsafeArrow;
                    let name = self.property_name()?;
                    let span = self.span(variable.span.start, variable.span.line);
                    self.expr_node(span, ExprKind::Prop { base: variable, name, nullsafe })
                }
                DoubleColon => self.new_static_property(ClassRef::Expr(variable), variable.span)?,
                _ => return Ok(variable),
            };
        }
    }

    fn new_static_property(&mut self, class: ClassRef<'a>, start: Span) -> Parsed<ExprRef<'a>> {
        self.bump();
        let variable = self.simple_variable()?;
        let name = property_of(variable);
        let span = self.span(start.start, start.line);
        Ok(self.expr_node(span, ExprKind::StaticProp { class, name }))
    }
}
