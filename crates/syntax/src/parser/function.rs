//! Functions, parameters and attributes.

use super::modifiers::Target;
use super::{Parsed, Parser};
use crate::ast::{Attribute, AttributeGroup, FunctionDecl, FunctionSig, Modifiers, Param, Span, Stmt, StmtKind};
use crate::token::TokenKind::*;

impl<'a> Parser<'a> {
    /// `function name(..) {..}`; the lookahead is `function`.
    pub(super) fn function_decl(&mut self, attributes: &'a [AttributeGroup<'a>]) -> Parsed<Stmt<'a>> {
        let start = self.bump();
        let by_ref_return = self.ampersand();
        let doc_comment = self.take_doc_comment();
        let name = self.bump();
        let name = self.ident(name);
        let params = self.parameter_list()?;
        let return_type = self.return_type()?;
        let body = self.block()?;
        let sig = FunctionSig { by_ref_return, params, return_type };
        let span = self.span_from(start);
        let end_line = self.last.line;
        let decl = FunctionDecl { span, attributes, doc_comment, name, sig, body, end_line };
        Ok(Stmt { span, kind: StmtKind::Function(self.arena.alloc(decl)) })
    }

    pub(super) fn ampersand(&mut self) -> bool {
        self.eat(Ampersand) || self.eat(AmpersandVar)
    }

    /// `{ statements }`
    pub(super) fn block(&mut self) -> Parsed<&'a [Stmt<'a>]> {
        self.expect(LeftBrace)?;
        let stmts = self.statements_until(&[RightBrace])?;
        self.bump();
        Ok(stmts)
    }

    /// `(parameters)`
    pub(super) fn parameter_list(&mut self) -> Parsed<&'a [Param<'a>]> {
        self.expect(LeftParen)?;
        let mut params = Vec::new();
        while !self.is(RightParen) {
            params.push(self.parameter()?);
            if !self.eat(Comma) {
                break;
            }
        }
        self.expect(RightParen)?;
        Ok(self.slice(&params))
    }

    fn parameter(&mut self) -> Parsed<Param<'a>> {
        let start = self.tok;
        let attributes = self.attributes()?;
        let tokens = self.modifier_tokens();
        let modifiers =
            if tokens.is_empty() { Modifiers::default() } else { self.modifiers(&tokens, Target::Parameter)? };
        let ty = if self.starts_type(false) { Some(self.type_expr(false)?) } else { None };
        let by_ref = self.eat(AmpersandVar);
        let variadic = self.eat(Ellipsis);
        let variable = self.expect(Variable)?;
        let name = self.variable_ident(variable);
        let doc_comment = self.take_doc_comment();
        let default = if self.eat(Assign) { Some(self.expr()?) } else { None };
        let hooks = if self.is(LeftBrace) { Some(self.hook_list()?) } else { None };
        let line = ty.map_or(name.span.line, |ty| ty.span.line);
        let span = self.span(start.start, line);
        Ok(Param { span, attributes, doc_comment, modifiers, ty, by_ref, variadic, name, default, hooks })
    }

    /// All `#[..]` that stand here.
    pub(super) fn attributes(&mut self) -> Parsed<&'a [AttributeGroup<'a>]> {
        if !self.is(crate::token::TokenKind::Attribute) {
            return Ok(&[]);
        }
        let mut groups = Vec::new();
        while self.is(crate::token::TokenKind::Attribute) {
            groups.push(self.attribute_group()?);
        }
        Ok(self.slice(&groups))
    }

    fn attribute_group(&mut self) -> Parsed<AttributeGroup<'a>> {
        let start = self.bump();
        let mut attributes = Vec::new();
        loop {
            let name = self.class_name()?;
            let args = if self.is(LeftParen) { Some(self.arguments()?) } else { None };
            let span = Span { end: self.last.end, ..name.span };
            attributes.push(Attribute { span, name, args });
            if !self.eat(Comma) || !(self.tok.kind.is_name() || self.is(Static)) {
                break;
            }
        }
        self.expect(RightBracket)?;
        let span = self.span(start.start, attributes[0].span.line);
        Ok(AttributeGroup { span, attributes: self.slice(&attributes) })
    }
}
