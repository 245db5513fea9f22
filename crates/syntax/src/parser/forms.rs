//! Expressions with a keyword and parentheses: `match`, `isset`, `empty`, `eval`, `exit`.

use super::expr::starts_expr;
use super::{Parsed, Parser};
use crate::ast::{ExprKind, ExprRef, MatchArm};
use crate::token::TokenKind::*;

impl<'a> Parser<'a> {
    pub(super) fn match_expr(&mut self) -> Parsed<ExprRef<'a>> {
        let start = self.bump();
        self.expect(LeftParen)?;
        let subject = self.expr()?;
        self.expect_after_expr(RightParen)?;
        self.expect(LeftBrace)?;
        let mut arms = Vec::new();
        while !self.is(RightBrace) {
            if !self.is(Default) && !starts_expr(self.tok.kind) {
                return Err(self.unexpected(&[RightBrace]));
            }
            arms.push(self.match_arm()?);
            if !self.eat(Comma) {
                break;
            }
        }
        self.expect(RightBrace)?;
        let span = self.span(start.start, subject.span.line);
        let arms = self.slice(&arms);
        Ok(self.expr_node(span, ExprKind::Match { subject, arms }))
    }

    fn match_arm(&mut self) -> Parsed<MatchArm<'a>> {
        let start = self.tok;
        if self.eat(Default) {
            self.eat(Comma);
            self.expect(DoubleArrow)?;
            let body = *self.expr()?;
            let span = self.span(start.start, body.span.line);
            return Ok(MatchArm { span, conditions: None, body });
        }
        let from = self.exprs.len();
        loop {
            let condition = *self.expr()?;
            self.exprs.push(condition);
            if !self.eat(Comma) || !starts_expr(self.tok.kind) {
                break;
            }
        }
        let conditions = self.finish_exprs(from);
        self.expect(DoubleArrow)?;
        let body = *self.expr()?;
        let span = self.span(start.start, conditions[0].span.line);
        Ok(MatchArm { span, conditions: Some(conditions), body })
    }

    pub(super) fn isset(&mut self) -> Parsed<ExprRef<'a>> {
        let start = self.bump();
        self.expect(LeftParen)?;
        let from = self.exprs.len();
        loop {
            let item = *self.expr()?;
            self.exprs.push(item);
            if !self.eat(Comma) || !starts_expr(self.tok.kind) {
                break;
            }
        }
        let items = self.finish_exprs(from);
        self.expect(RightParen)?;
        let span = self.span(start.start, items[0].span.line);
        Ok(self.expr_node(span, ExprKind::Isset(items)))
    }

    /// `empty(expr)` and `eval(expr)`
    pub(super) fn parenthesized_operator(&mut self) -> Parsed<ExprRef<'a>> {
        let start = self.bump();
        self.expect(LeftParen)?;
        let operand = self.expr()?;
        self.expect_after_expr(RightParen)?;
        let kind = if start.kind == Empty { ExprKind::Empty(operand) } else { ExprKind::Eval(operand) };
        Ok(self.expr_node(self.span(start.start, operand.span.line), kind))
    }

    pub(super) fn exit(&mut self) -> Parsed<ExprRef<'a>> {
        let start = self.bump();
        let (args, line) = if self.is(LeftParen) {
            let args = self.arguments()?;
            (Some(args), self.last.line)
        } else {
            (None, self.end_line(self.tok))
        };
        Ok(self.expr_node(self.span(start.start, line), ExprKind::Exit(args)))
    }
}
