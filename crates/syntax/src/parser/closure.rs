//! Closures and arrow functions.

use super::{Parsed, Parser};
use crate::ast::{AttributeGroup, Closure, ClosureBody, ClosureUse, ExprKind, ExprRef, FunctionSig};
use crate::token::{
    Token,
    TokenKind::{self, *},
};

impl<'a> Parser<'a> {
    /// A closure that starts with the token `start`; the lookahead is `function` or `fn`.
    pub(super) fn closure(
        &mut self,
        start: Token,
        attributes: &'a [AttributeGroup<'a>],
        is_static: bool,
    ) -> Parsed<ExprRef<'a>> {
        let keyword = self.bump();
        let by_ref_return = self.ampersand();
        let doc_comment = self.take_doc_comment();
        let params = self.parameter_list()?;
        let uses = if keyword.kind == Function && self.eat(Use) { self.closure_uses()? } else { &[] };
        let return_type = self.return_type()?;
        let (body, end_line) = if keyword.kind == Fn {
            self.expect(DoubleArrow)?;
            let body = self.expr()?;
            (ClosureBody::Arrow(body), self.end_line(self.tok))
        } else {
            let body = self.block()?;
            (ClosureBody::Block(body), self.last.line)
        };
        let sig = FunctionSig { by_ref_return, params, return_type };
        let span = self.span(start.start, keyword.line);
        let closure = Closure { span, attributes, doc_comment, is_static, sig, uses, body, end_line };
        Ok(self.expr_node(span, ExprKind::Closure(self.arena.alloc(closure))))
    }

    /// `#[..]` and then `function`, `fn` or either with `static`.
    pub(super) fn attributed_closure(&mut self) -> Parsed<ExprRef<'a>> {
        let attributes = self.attributes()?;
        self.closure_after_attributes(attributes)
    }

    pub(super) fn closure_after_attributes(&mut self, attributes: &'a [AttributeGroup<'a>]) -> Parsed<ExprRef<'a>> {
        let start = self.tok;
        let is_static = self.eat(Static);
        if matches!(self.tok.kind, Function | Fn) {
            return self.closure(start, attributes, is_static);
        }
        let expected: &[TokenKind] =
            if is_static { &[Function, Fn] } else { &[Function, Fn, Static, TokenKind::Attribute] };
        Err(self.unexpected(expected))
    }

    /// `use` has been taken.
    fn closure_uses(&mut self) -> Parsed<&'a [ClosureUse<'a>]> {
        self.expect(LeftParen)?;
        let mut uses = Vec::new();
        loop {
            let by_ref = self.ampersand();
            if !self.is(Variable) {
                let expected: &[TokenKind] = if by_ref { &[Variable] } else { &[Variable, AmpersandVar, Ampersand] };
                return Err(self.unexpected(expected));
            }
            let variable = self.bump();
            uses.push(ClosureUse { name: self.variable_ident(variable), by_ref });
            if !self.eat(Comma) || !matches!(self.tok.kind, Variable | Ampersand | AmpersandVar) {
                break;
            }
        }
        self.expect(RightParen)?;
        Ok(self.slice(&uses))
    }
}
