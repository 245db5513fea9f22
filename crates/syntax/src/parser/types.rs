//! Type declarations.

use super::{Parsed, Parser};
use crate::ast::{Type, TypeKind};
use crate::token::TokenKind::{self, *};

impl<'a> Parser<'a> {
    /// Can a type start here? `static` is a type only where no modifier can stand.
    pub(super) fn starts_type(&self, allow_static: bool) -> bool {
        let kind = self.tok.kind;
        kind == Question || kind == LeftParen || is_named_type(kind, allow_static)
    }

    /// A type: `T`, `?T`, `A|B`, `A&B`, `(A&B)|C`
    pub(super) fn type_expr(&mut self, allow_static: bool) -> Parsed<Type<'a>> {
        let start = self.tok;
        if self.eat(Question) {
            let inner = self.named_type(allow_static)?;
            let span = self.span(start.start, inner.span.line);
            return Ok(Type { span, kind: TypeKind::Nullable(self.alloc(inner)) });
        }
        let parenthesized = self.is(LeftParen);
        let first = self.union_element(allow_static)?;
        if self.is(Pipe) {
            let mut members = vec![first];
            while self.eat(Pipe) {
                members.push(self.union_element(allow_static)?);
            }
            let span = self.span(start.start, first.span.line);
            return Ok(Type { span, kind: TypeKind::Union(self.slice(&members)) });
        }
        if parenthesized {
            return Err(self.unexpected(&[Pipe]));
        }
        if self.is(Ampersand) { self.intersection(first, allow_static) } else { Ok(first) }
    }

    fn union_element(&mut self, allow_static: bool) -> Parsed<Type<'a>> {
        if !self.eat(LeftParen) {
            return self.named_type(allow_static);
        }
        let first = self.named_type(allow_static)?;
        if !self.is(Ampersand) {
            return Err(self.unexpected(&[Ampersand]));
        }
        let inner = self.intersection(first, allow_static)?;
        if !self.eat(RightParen) {
            return Err(self.unexpected(&[Ampersand, RightParen]));
        }
        Ok(inner)
    }

    /// The rest of an intersection after its first member.
    fn intersection(&mut self, first: Type<'a>, allow_static: bool) -> Parsed<Type<'a>> {
        let mut members = vec![first];
        while self.eat(Ampersand) {
            members.push(self.named_type(allow_static)?);
        }
        let span = self.span(first.span.start, first.span.line);
        Ok(Type { span, kind: TypeKind::Intersection(self.slice(&members)) })
    }

    fn named_type(&mut self, allow_static: bool) -> Parsed<Type<'a>> {
        if !is_named_type(self.tok.kind, allow_static) {
            return Err(self.unexpected(&[]));
        }
        let token = self.bump();
        Ok(Type { span: Self::token_span(token), kind: TypeKind::Named(self.name(token)) })
    }

    /// `: T` after a parameter list.
    pub(super) fn return_type(&mut self) -> Parsed<Option<Type<'a>>> {
        if self.eat(Colon) { self.type_expr(true).map(Some) } else { Ok(None) }
    }
}

fn is_named_type(kind: TokenKind, allow_static: bool) -> bool {
    kind.is_name() || matches!(kind, Array | Callable) || (allow_static && kind == Static)
}
